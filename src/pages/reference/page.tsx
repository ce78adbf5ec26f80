import type { JSX } from 'preact';
import { renderDocument } from '../design/layout.js';

/** What of an OpenAPI document is shown. */
export interface ReferenceView {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly OperationView[];
  /** What is sent to receivers. */
  readonly webhooks: readonly OperationView[];
  /** Named schemas as JSON text. */
  readonly schemas: readonly { readonly name: string; readonly description: string; readonly json: string }[];
}

export interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly place: string; readonly description: string }[];
  readonly body: ContentView | null;
  readonly answers: readonly (ContentView & { readonly status: string; readonly description: string })[];
}

interface ContentView {
  readonly types: readonly string[];
  /** A named schema, if it is one. */
  readonly schema: string | null;
  readonly example: string | null;
}

/** The reference of the interface: one page without a script, to be searched with what the browser has. */
export function renderReference({ info, tags, operations, webhooks, schemas }: ReferenceView): string {
  const groups = [...tags, { name: 'Events', description: 'What is sent to the receivers of webhooks.' }];
  const all = [...operations, ...webhooks.map((webhook) => ({ ...webhook, tag: 'Events' }))];
  return renderDocument({
    locale: 'en',
    title: 'API reference',
    isPrivate: false,
    children: (
      <div class="wrap lone stack">
        <h1>{info.title}</h1>
        <p class="pre">
          <Prose text={info.description} />
        </p>
        <p>
          Version {info.version} · <a href="/openapi.json">openapi.json</a>
        </p>
        {groups.map(({ name, description }) => (
          <Group key={name} name={name} description={description} operations={all.filter(({ tag }) => tag === name)} />
        ))}
        <section class="stack" aria-labelledby="schemas">
          <h2 id="schemas">Schemas</h2>
          {schemas.map(({ name, description, json }) => (
            <details key={name} id={name} class="card">
              <summary>
                <span class="mono">{name}</span> <Prose text={description} />
              </summary>
              <pre class="small">{json}</pre>
            </details>
          ))}
        </section>
      </div>
    ),
  });
}

function Group(props: {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly OperationView[];
}): JSX.Element {
  const anchor = props.name.toLowerCase().replaceAll(' ', '-');
  return (
    <section class="stack" aria-labelledby={anchor}>
      <h2 id={anchor}>{props.name}</h2>
      <p class="soft">
        <Prose text={props.description} />
      </p>
      {props.operations.map((operation) => (
        <Operation key={operation.id} {...operation} />
      ))}
    </section>
  );
}

function Operation(operation: OperationView): JSX.Element {
  return (
    <details id={operation.id} class="card">
      <summary>
        <span class="mono">
          {operation.method} {operation.path}
        </span>{' '}
        {operation.summary}
      </summary>
      <div class="stack">
        {operation.description !== '' && (
          <p>
            <Prose text={operation.description} />
          </p>
        )}
        {operation.parameters.length > 0 && (
          <dl class="small">
            {operation.parameters.map(({ name, place, description }) => (
              <div key={`${place} ${name}`}>
                <dt class="mono">
                  {name} ({place})
                </dt>
                <dd>
                  <Prose text={description} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {operation.body !== null && <Content title="Body" {...operation.body} />}
        {operation.answers.map(({ status, description, ...content }) => (
          <Content key={status} title={`${status} ${description}`} {...content} />
        ))}
      </div>
    </details>
  );
}

function Content({ title, types, schema, example }: ContentView & { readonly title: string }): JSX.Element {
  return (
    <div class="small">
      <p class="pre">{title}</p>
      <p class="soft">
        {types.join(', ')} {schema !== null && <a href={`#${schema}`}>{schema}</a>}
      </p>
      {example !== null && <pre class="mono">{example}</pre>}
    </div>
  );
}

/** What stands between two backticks is code, as in the description's Markdown. */
const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text.split('`').map((part, index) =>
      index % 2 === 1 ? (
        <code key={index} class="mono">
          {part}
        </code>
      ) : (
        part
      ),
    )}
  </>
);
