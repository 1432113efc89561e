import { expect, test } from 'vitest';
import { hoursText } from '#web/links/hours-text.ts';
import { invitationText } from '#web/links/invitation.ts';
import { qrFileName, qrSvgFile } from '#web/links/qr-files.ts';
import { hoursOf, weekForm, weekValuesOf } from '#web/links/week-values.ts';

const day = [{ from: '09:00', to: '17:00' }];
const openingHours = {
  timeZone: 'Europe/Berlin',
  week: [day, day, day, day, day, [{ from: '10:00', to: '24:00' }], []],
  closedDays: ['2026-12-24'],
};
const url = 'https://calls.example.com/join/abc';

test('an invitation has topic, link and hours; consecutive days with the same hours are combined', () => {
  expect(hoursText(openingHours)).toBe('Mon – Fri 09:00–17:00, Sat 10:00–24:00');
  const text = invitationText({ topic: 'Review', url, openingHours });
  for (const part of ['Review', url, 'Mon – Fri 09:00–17:00', 'Europe/Berlin'])
    expect(text).toContain(part);
  expect(invitationText({ topic: 'Review', url, openingHours: null })).not.toContain('Open ');
});

test('attack 29: names under a QR code are inert, and the file name is plain', () => {
  const file = qrSvgFile({ url, title: '<script>x</script>', subtitle: 'a"&\u0000b' });
  expect(file).not.toContain('<script');
  expect(file).toContain('&lt;script&gt;');
  expect(file).toContain('a&quot;&amp; b');
  expect(qrFileName('../Überblick: <Acme>', 'svg')).toBe('uberblick-acme-qr.svg');
  expect(qrFileName('***', 'png')).toBe('room-qr.png');
});

test('opening hours pass through their form unchanged, including the end of a day', () => {
  expect(hoursOf(weekValuesOf(openingHours, 'UTC'))).toEqual(openingHours);
  expect(hoursOf(weekValuesOf(null, 'UTC'))).toBe(null);
});

test('an invalid time is reported at its field', () => {
  const values = weekValuesOf(openingHours, 'UTC');
  const [monday] = values.days;
  if (monday) Object.assign(monday, { hasSecond: true, from2: '12:00', to2: '11:00' });
  const paths = weekForm.safeParse(values).error?.issues.map(({ path }) => path.join('.'));
  expect(paths).toContain('days.0.to2');
});
