import { expect, test } from 'vitest';
import { createPlaybookBody } from '../contract.ts';
import { englishTemplates } from './english.ts';
import { germanTemplates } from './german.ts';
import { templateNames } from './template.ts';

test.each(templateNames)('%s is a playbook of six to nine steps in both languages', (name) => {
  const [english, german] = [englishTemplates[name], germanTemplates[name]];
  for (const { title, description, steps } of [english, german]) {
    const checklistItems = steps.map((text) => ({ text }));
    expect(createPlaybookBody.safeParse({ title, description, checklistItems }).success).toBe(true);
    expect(new Set(steps).size).toBe(steps.length);
  }
  expect(english.steps.length).toBeGreaterThanOrEqual(6);
  expect(english.steps.length).toBeLessThanOrEqual(9);
  expect(german.steps).toHaveLength(english.steps.length);
});
