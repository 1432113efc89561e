import { buildIfChanged } from './build.ts';
import { fail } from './fail.ts';
import { findings } from './replay/all.ts';
import { type Finding, type Outcome, replay, type Verdict } from './replay/finding.ts';
import { openScene } from './replay/scene.ts';

/**
 * Replays the attacks of the security review on a fresh instance in a temporary folder, over HTTP
 * and WebSocket on the loopback interface. Prints one line for each finding; ends with code 1 if
 * one is broken. Arguments select findings by name.
 */
async function main(chosen: string[]): Promise<void> {
  await buildIfChanged((line) => console.log(line));
  const counts: Record<Verdict, number> = { held: 0, accepted: 0, BROKEN: 0, 'not replayed': 0 };
  const say = (id: string, { verdict, observed }: Outcome) => {
    counts[verdict] += 1;
    console.log(`${id} ${verdict}: ${observed.replace(/\s+/g, ' ')}`);
  };
  const scene = await openScene();
  try {
    const wanted = findings.filter(
      ({ id }) => chosen.length === 0 || chosen.includes(id.split(' ', 1)[0] ?? ''),
    );
    await scene.prepareAdmins(Math.min(48, 3 * wanted.length));
    const those = (when: Finding['when']) => wanted.filter((one) => one.when === when);
    const inTurn = async (some: Finding[]) => {
      for (const one of some) say(one.id, await replay(one, scene));
    };
    await inTurn(those('alone'));
    const aside = those('aside').map((one) => inTurn([one]));
    await inTurn(those(undefined));
    await Promise.all(aside);
  } finally {
    await scene.close();
  }
  const { held, accepted, BROKEN: broken } = counts;
  const others = `${broken} broken, ${counts['not replayed']} not replayed`;
  console.log(`${held} held, ${accepted} accepted, ${others}.`);
  if (broken > 0) process.exitCode = 1;
}

await main(process.argv.slice(2)).catch(fail);
