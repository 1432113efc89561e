import { expect, test } from 'vitest';
import { csvCell } from '#domain/csv.ts';
import { callsCsv } from '#web/analytics/calls-csv.ts';
import { someCall } from '#web/testing/some.ts';

test.each([
  ['plain', 'plain'],
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tindented', "'\tindented"],
  [' =1+1', "' =1+1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['a = b', 'a = b'],
  ['Acme, Inc.', '"Acme, Inc."'],
  ['she said "yes"', '"she said ""yes"""'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
  [null, ''],
  [0, '0'],
  [-3, '-3'],
])('attack 33: the cell %j is written as %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('attack 33: a call is one line below the header, and no name is run as a formula', () => {
  const call = someCall({
    participantsJson: ['=cmd()', 'Ada "the" Countess'].map((name) => ({ name, avatar: null })),
    npsScore: 9,
    npsFeedback: 'Good, thanks',
  });
  expect(callsCsv([call, someCall({ endedAt: null, durationSec: null })]).split('\r\n')).toEqual([
    'Room,Started at,Ended at,Duration (seconds),Participants,NPS score,NPS feedback,Status,Agent',
    'Onboarding with Acme,2026-03-04T10:00:00Z,2026-03-04T10:05:00Z,300,' +
      '"\'=cmd(); Ada ""the"" Countess",9,"Good, thanks",Completed,',
    'Onboarding with Acme,2026-03-04T10:00:00Z,,,,,,In Progress,',
    '',
  ]);
});
