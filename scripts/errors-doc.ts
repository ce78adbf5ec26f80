import { REFUSALS, type RefusalCode } from '../src/core/errors.js';
import { STATUS } from '../src/http/problem.js';

const HEADING = `# Errors

Every refusal of the interface. Generated from the code by \`npm run docs\`; a test keeps it true.

Errors are \`application/problem+json\` (RFC 9457): \`type, title, status, detail, code, requestId\`. \`code\` is stable: branch on it, not on \`detail\`, which is written for people.
\`errors: [{ path, code, message }]\` names each field that broke a rule, \`path\` dotted (\`materials.0.percentage\`). A 409 about a state carries \`state\` and \`allowed[]\`.
\`requestId\` is also in the header \`X-Request-Id\` and in the log; send \`X-Request-Id\` (letters, digits, \`. _ : -\`, at most 128) to choose it.

A call that breaks several rules is refused by the first of: 401, 400 for the missing header, 403, 413 or 415, 400 for a body that is no JSON, 422, 404, 409.
401 carries \`WWW-Authenticate: Bearer\`; 429 and 503 carry \`Retry-After\` in seconds. A call that was answered 503 is safe to send again; for one that creates, use the same \`Idempotency-Key\`.`;

/** `docs/errors.md`, from the table of refusals and the table of statuses. */
export function errorsDocument(): string {
  const codes = (Object.keys(REFUSALS) as RefusalCode[]).sort((a, b) => STATUS[a] - STATUS[b] || a.localeCompare(b));
  const rows = codes.map((code) => [String(STATUS[code]), `\`${code}\``, REFUSALS[code]] as const);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 6));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [
    HEADING,
    '',
    line(['Status', 'Code', 'When']),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rows.map(line),
    '',
  ].join('\n');
}
