import { adopt } from './cli/adopt.js';
import { checkParts } from './cli/check.js';
import type { Command } from './cli/command.js';
import { eraseTexts } from './cli/erase-texts.js';
import { moveStore } from './cli/move-store/command.js';
import { parked } from './cli/parked.js';
import { plan } from './cli/plan.js';
import { rebuild } from './cli/rebuild.js';
import { rescore } from './cli/rescore.js';
import { verify } from './cli/verify.js';
import { describeError, isOutage } from './infrastructure/outage.js';

const COMMANDS: readonly Command[] = [checkParts, plan, verify, rebuild, rescore, eraseTexts, parked, adopt, moveStore];

function usage(): string {
  const rows = COMMANDS.flatMap(({ name, usage }) =>
    usage.map(([words, effect]) => [`${name} ${words}`, effect] as const),
  );
  const width = Math.max(...rows.map(([words]) => words.length));
  return `Usage: npm run cli -- <command>

${rows.map(([words, effect]) => `  ${words.padEnd(width)}  ${effect}`).join('\n')}

It works on the database and the event store of the environment (DATABASE_URL, EVENTSTORE_URL) or, where that names none,
on the service that runs on DATA_DIR (.data). A command asks for the settings that it needs, and no others.

Exit code: 0 done, 1 not done or history broken, 2 wrong usage.
`;
}

const [name, ...words] = process.argv.slice(2);
const run = COMMANDS.find((command) => command.name === name)?.prepare(words) ?? null;
if (run === null) {
  const isAsked = name === undefined || ['help', '--help', '-h'].includes(name);
  (isAsked ? process.stdout : process.stderr).write(usage());
  process.exitCode = isAsked ? 0 : 2;
} else {
  try {
    process.exitCode = await run();
  } catch (error) {
    // One line for the operator; what a refusal says is written for people.
    const said = error instanceof Error && !isOutage(error) ? error.message : describeError(error);
    process.stderr.write(`${said}\n`);
    process.exitCode = 1;
  }
}
