import { expect, test } from 'vitest';
import { countWords, termsOf, tsqueryOf } from './query.ts';
import { marksOf, wordsOf, wordsOfName } from './words.ts';

const marked = (text: string, terms: string[], most?: number) =>
  marksOf(text, terms, most).map(({ from, to }) => text.slice(from, to));

test('marks are the terms as the text writes them, in order and without overlaps', () => {
  expect(marked('Größe, GROSSE und größer', ['grosse'])).toEqual(['Größe', 'GROSSE']);
  expect(marked('the price list, the price', ['price list', 'price'])).toEqual([
    'price list',
    'price',
  ]);
  expect(marked('price and list', ['price list'])).toEqual([]);
  expect(marked('nothing', ['', '...'])).toEqual([]);
});

test('a mark of another part of a phrase does not hide the phrase that follows it', () => {
  expect(marked('a a b c', ['a b'])).toEqual(['a b']);
  expect(marked('a b a b', ['a b'])).toEqual(['a b', 'a b']);
});

test('marks far behind the first one are left out', () => {
  expect(marked('price 123456 price', ['price'], 13)).toEqual(['price', 'price']);
  expect(marked('price 123456 price', ['price'], 12)).toEqual(['price']);
});

test('writing without spaces is marked by character', () => {
  expect(marked('価格表を見る', ['格表'])).toEqual(['格表']);
});

test('words are folded, at most 60 characters long, and pairs where writing has no spaces', () => {
  expect(wordsOf('Ærø Straße').map(({ word }) => word)).toEqual(['aero', 'strasse']);
  expect(wordsOf('a'.repeat(70))).toEqual([{ word: 'a'.repeat(60), isStart: false }]);
  expect(wordsOf('価格表')).toEqual([
    { word: '価格', isStart: false },
    { word: '格表', isStart: false },
  ]);
  expect(wordsOf('価')).toEqual([{ word: '価', isStart: true }]);
  expect(wordsOfName('Łukasz  Åberg')).toEqual(['lukasz', 'aberg']);
  expect(wordsOfName('b'.repeat(70))).toEqual(['b'.repeat(60)]);
});

test('texts in quotes are phrases, and an open quote counts as a space', () => {
  expect(termsOf('"price list" acme')).toEqual([
    { text: 'price list', isPhrase: true },
    { text: 'acme', isPhrase: false },
  ]);
  expect(termsOf('acme "price list').map(({ text }) => text)).toEqual(['acme', 'price', 'list']);
  expect(termsOf('"..." ,')).toEqual([]);
  expect(countWords(termsOf('"price list" acme'))).toBe(3);
});

test('a query asks for all terms, phrases in order, and the speaker', () => {
  expect(tsqueryOf(termsOf('"price list" acme'), 'Ann Lee')).toBe(
    "('price' <-> 'list') & ('acme') & '@ann' & '@lee'",
  );
  expect(tsqueryOf(termsOf('価'), '')).toBe("('価':*)");
});
