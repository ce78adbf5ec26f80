import { readdirSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { z } from 'zod';
import { PRIVATE_FIELDS } from '../src/private-fields.js';
import { WEBHOOK_BODIES } from '../src/modules/webhooks/index.js';

/** Written by a test: what the service made of recorded events. */
const EXAMPLES = new URL('../docs/webhook-bodies.json', import.meta.url);
const MODULES = fileURLToPath(new URL('../src/modules/', import.meta.url));

/** `docs/events.md`: every event type with its payload, read from the types in each module's `events.ts`. */
export function eventsDocument(): string {
  const files = readdirSync(MODULES)
    .sort()
    .map((name) => ({ name, file: `${MODULES}${name}/events.ts` }))
    .filter(({ file }) => existsSync(file));
  const program = ts.createProgram(
    files.map(({ file }) => file),
    { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: ts.ScriptTarget.ES2024 },
  );
  const checker = program.getTypeChecker();
  const sections = files.map(({ name, file }) => {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`cannot read ${file}`);
    return [`## ${name}`, ...moduleSection(source, checker)].join('\n\n');
  });
  return `${[HEADING, ...sections, ...bodySections()].join('\n\n')}\n`;
}

/** What receivers are sent, from the schemas, each with an example. */
function bodySections(): string[] {
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8')) as Record<string, object>;
  return [
    BODIES_HEADING,
    ...WEBHOOK_BODIES.map(({ event, summary, body }) => {
      const example = examples[event];
      if (example === undefined) throw new Error(`docs/webhook-bodies.json has no example of ${event}`);
      const { properties = {}, $defs = {} } = z.toJSONSchema(body.shape.data, { io: 'input' });
      const named = ({ $ref = '' }: z.core.JSONSchema.JSONSchema) => $defs[$ref.split('/').at(-1) ?? ''] ?? {};
      const rows = Object.entries(properties as Record<string, z.core.JSONSchema.JSONSchema>).map(([name, own]) => {
        const schema = { ...named(own), ...own };
        return `| \`${name}\` | \`${typeOf(schema)}\` | ${schema.description ?? ''} |`;
      });
      const fields = ['| field of `data` | type | |', '| --- | --- | --- |', ...rows].join('\n');
      const json = ['```json', JSON.stringify(example, null, 2), '```'].join('\n');
      return [`### Body: ${event}`, summary, fields, json].join('\n\n');
    }),
  ];
}

const BODIES_HEADING = `## What webhooks are sent

The body is one JSON object of \`event\`, \`timestamp\` (when it happened, ISO 8601 in UTC) and \`data\`. It is sent without the line breaks of the examples, which a test produced from recorded events. Members may be added to \`data\`.`;

const typeOf = ({ type, anyOf, enum: values, format }: z.core.JSONSchema.JSONSchema): string => {
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one)).join(' \\| ');
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' \\| ');
  const name = [type].flat().join(' \\| ');
  return format === undefined ? name : `${name} (${format})`;
};

const HEADING = `# Events

Every fact in the log, by module. Generated from the types by \`npm run docs\`; a test keeps it true.
Times are integer milliseconds since the Unix epoch. \`metadata\` of each event: \`schemaVersion, organizationId | null, actor { type, id | null }, correlationId, causationId | null, recordedAt, hash\`; events that an import led to carry \`import { importId, fileHash | null, row }\` too, so that a field can be traced to its cell.

A text that is private stands in the log as \`sealed:1:<ids of its keys>:<AES-256-GCM, base64url>\`, and \`hash\` covers that: \`docs/security.md\` says under whose key.

\`hash\` is SHA-256 over the RFC 8785 form of \`{ stream, revision, id, type, data, metadata without hash, previousHash }\`, as 64 lower-case hex digits; \`previousHash\` is null at revision 0. \`npm run cli -- verify\` checks it.`;

function moduleSection(source: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const blocks: string[] = [];
  for (const statement of source.statements) {
    if (!ts.isTypeAliasDeclaration(statement) || !statement.name.text.endsWith('Event')) continue;
    blocks.push(commentBefore(statement, source));
    const members = ts.isUnionTypeNode(statement.type) ? [...statement.type.types] : [statement.type];
    for (const member of members) {
      if (!ts.isTypeReferenceNode(member)) continue;
      const [nameNode, payloadNode] = member.typeArguments ?? [];
      if (nameNode === undefined || payloadNode === undefined || !ts.isLiteralTypeNode(nameNode)) continue;
      const type = nameNode.getText(source).replaceAll("'", '');
      const title = `### ${type}`;
      const paths = Object.keys(PRIVATE_FIELDS[type] ?? {}).map((path) => `\`${path}\``);
      const sealed = paths.length === 0 ? [] : [`Private: ${paths.join(', ')}.`];
      const comment = commentBefore(member, source);
      blocks.push(
        [title, ...(comment === '' ? [] : [comment]), table(payloadNode, source, checker), ...sealed].join('\n\n'),
      );
    }
  }
  // The shapes that the tables name, once each.
  const named = blocks.join('\n');
  for (const statement of source.statements) {
    if (!ts.isTypeAliasDeclaration(statement) || !ts.isTypeLiteralNode(statement.type)) continue;
    const name = statement.name.text;
    if (!new RegExp(`\`(Partial<)?${name}[\\[\`>]`).test(named)) continue;
    blocks.push([`### Shape: ${name}`, table(statement.type, source, checker)].join('\n\n'));
  }
  return blocks.filter((block) => block !== '');
}

function table(payload: ts.TypeNode, source: ts.SourceFile, checker: ts.TypeChecker): string {
  const rows = checker
    .getTypeFromTypeNode(payload)
    .getProperties()
    .map((property) => {
      const type = checker.getTypeOfSymbolAtLocation(property, payload);
      const shape = checker.typeToString(
        type,
        source,
        ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias,
      );
      const meaning = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll('\n', ' ');
      return `| \`${property.name}\` | \`${shape.replaceAll('readonly ', '').replaceAll('|', '\\|')}\` | ${meaning} |`;
    });
  return ['| field | type | |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The doc comment that stands before a node, also before a member of a union, where TypeScript keeps none. */
function commentBefore(node: ts.Node, source: ts.SourceFile): string {
  const text = source.getFullText();
  const starts = [
    node.getFullStart(),
    ts.isTypeReferenceNode(node) ? text.lastIndexOf('|', node.getStart(source)) : -1,
  ];
  for (const start of starts.filter((candidate) => candidate >= 0)) {
    const before = ts.isTypeReferenceNode(node)
      ? (/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(text.slice(0, start))?.[0] ?? '')
      : '';
    const ranges = ts.getLeadingCommentRanges(text, start) ?? [];
    const comment = before !== '' ? before : ranges.map(({ pos, end }) => text.slice(pos, end)).join('\n');
    if (comment.startsWith('/**')) {
      return comment
        .replace(/^\/\*\*|\*\/\s*$/g, '')
        .split('\n')
        .map((line) => line.replace(/^\s*\*?\s?/, '').trim())
        .join(' ')
        .trim();
    }
  }
  return '';
}
