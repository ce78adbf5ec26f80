import { assertNever } from '../src/core/assert-never.js';
import type { Role } from '../src/core/vocabulary.js';
import { reaches, type Access } from '../src/http/access.js';
import type { DeclaredRoute } from '../src/http/route-rules.js';

/** Who calls: without a token, a member of another organization, a member with a role, or the operator's token. */
export type Caller = 'nobody' | 'stranger' | Role | 'operator';

const CALLERS: readonly Caller[] = ['nobody', 'stranger', 'auditor', 'editor', 'owner', 'operator'];

const HEADING = `# Permissions

Who may call what. Printed by \`npm run docs\` from the declaration beside each route (\`config: { access }\`); a test calls every route as every caller and compares.

- **nobody**: no token. **stranger**: signed in, member of another organization. **auditor, editor, owner**: members of the organization of the call. **operator**: the operator's token.
- **API key**: the scope that a key of the organization needs; \`-\` where keys are not taken (401). No scope includes another.
- \`yes\`: a call of this caller has succeeded in the test (of an open route: without a token). \`passes\`: it is not turned away for being who it is; the test calls these with ids that nobody has. A number: the status of the refusal. \`link\`: whoever holds the mailed link. 303: a browser that is not signed in is led to the sign-in.
- **Plan**: \`pro\` where the free plan is refused (403 \`plan_required\`).

401 \`unauthenticated\`; 403 \`not_a_member\` (stranger below \`/brand\`), \`role_required\`, \`scope_required\`, \`operator_required\`; 404 \`not_found\` (stranger, organization in the path; with a faulty body 403 \`not_a_member\`).`;

/** \`docs/permissions.md\`. */
export function permissionsDocument(routes: readonly DeclaredRoute[], proven: ReadonlySet<string>): string {
  const sorted = routes.toSorted((a, b) => (a.path === b.path ? compare(a.method, b.method) : compare(a.path, b.path)));
  const rows = [
    ['Route', ...CALLERS, 'API key', 'Plan'],
    ...sorted.map(({ method, path, access }) => [
      `\`${method} ${path}\``,
      ...CALLERS.map((caller) => {
        const answer = answerTo(access, caller);
        return answer === 'yes' && !proven.has(`${method} ${path}`) ? 'passes' : answer;
      }),
      scopeOf(access),
      access.kind === 'member' && access.plan !== undefined ? access.plan : '',
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [HEADING, '', line(head), rule, ...body.map(line), ''].join('\n');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The scope of an API key, or `-`. */
function scopeOf(access: Access): string {
  if (access.kind === 'public' || access.kind === 'link') return '';
  return access.kind === 'member' && access.named.in === 'header' ? access.named.scope : '-';
}

function answerTo(access: Access, caller: Caller): string {
  switch (access.kind) {
    case 'public':
      return 'yes';
    case 'link':
      return 'link';
    case 'account':
      return isPerson(caller) ? 'yes' : '401';
    case 'page':
      return isPerson(caller) ? 'yes' : '303';
    case 'operator':
      if (caller === 'operator') return 'yes';
      return isPerson(caller) ? '403' : '401';
    case 'member':
      if (!isPerson(caller)) return '401';
      if (caller === 'stranger') return access.named.in === 'path' ? '404' : '403';
      return reaches(caller, access.role) ? 'yes' : '403';
    default:
      return assertNever(access);
  }
}

const isPerson = (caller: Caller): caller is 'stranger' | Role => caller !== 'nobody' && caller !== 'operator';
