// Runs before every other command, under whatever Node the machine has (18 or newer): built-ins only.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = dirname(dirname(fileURLToPath(import.meta.url)));

/** npm notes what it installed in node_modules/.package-lock.json, last of all: an interrupted install has none. */
const reasonToInstall = () => {
  const installedFile = join(project, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return 'node_modules is missing';
  const wanted = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '' || installed[path]?.version === version) continue;
    // Optional packages of other platforms are in the lock file only.
    if (installed[path] === undefined && (optional || devOptional)) continue;
    return `${path} is not the one in package-lock.json`;
  }
  return undefined;
};

const reason = reasonToInstall();
if (reason !== undefined) {
  process.stderr.write(`Installing (${reason}); this takes about a minute.\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Development packages are what the service runs on here, whatever NODE_ENV says. stdout stays the command's own.
  // The level is said again, as npm run --silent would pass its own on.
  const result = spawnSync(npm, ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: project,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stderr.write('npm ci failed; see its output above. Run it by hand, then repeat the command.\n');
    process.exit(1);
  }
}
