import type { JSX } from 'preact';
import { materialName } from '../names/materials.js';
import type { CertificateView, ProductionStep } from '../views.js';
import { certificateState, type CertificateState } from './certificate-state.js';
import { Part, type PartProps } from './part.js';

/** How much of a hash is shown where the whole would only be in the way. */
const HASH_PREFIX = 12;
/** As many tones as the strip has; further materials repeat the last. */
const TONES = 5;
/** In the order in which a piece is made. */
const STEPS: readonly ProductionStep[] = ['spinning', 'fabric', 'dyeing', 'making'];

export function Materials({ view, texts, formats, locale }: PartProps): JSX.Element {
  const materials = [...view.content.materials].sort((a, b) => b.percentage - a.percentage);
  const toneOf = (index: number): string => `s${Math.min(index + 1, TONES)}`;
  let at = 0;
  const spans = materials.map(({ percentage }) => {
    const span = { at, width: Math.max(0, percentage - (materials.length > 1 ? 0.4 : 0)) };
    at += percentage;
    return span;
  });
  return (
    <Part id="materials" title={texts.materials}>
      {materials.length === 0 ? (
        <p>{texts.noMaterials}</p>
      ) : (
        <>
          <svg class="strip" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
            {spans.map((span, index) => (
              <rect key={index} class={toneOf(index)} x={span.at} width={span.width} height="10" />
            ))}
          </svg>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.material}</th>
                <th scope="col">{texts.origin}</th>
                <th scope="col" class="n">
                  {texts.share}
                </th>
              </tr>
            </thead>
            <tbody>
              {materials.map((material, index) => (
                <tr key={index}>
                  <th scope="row">
                    <svg class="chip" aria-hidden="true" viewBox="0 0 10 10">
                      <rect class={toneOf(index)} width="10" height="10" rx="2" />
                    </svg>
                    {materialName(material.materialType, locale)}
                  </th>
                  <td>
                    {material.originCountry === null ? (
                      <span class="soft">{texts.originUnknown}</span>
                    ) : (
                      formats.country(material.originCountry)
                    )}
                  </td>
                  <td class="n">{formats.percent(material.percentage)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <Steps texts={texts} formats={formats} countries={view.content.countries} />
    </Part>
  );
}

function Steps({
  texts,
  formats,
  countries,
}: Pick<PartProps, 'texts' | 'formats'> & Pick<PartProps['view']['content'], 'countries'>): JSX.Element | null {
  const told = STEPS.flatMap((step) => (countries[step] === null ? [] : [{ step, country: countries[step] }]));
  if (told.length === 0) return null;
  return (
    <>
      <h3>{texts.steps}</h3>
      <dl class="facts">
        {told.map(({ step, country }) => (
          <div key={step}>
            <dt>{texts.stepNames[step]}</dt>
            <dd>{formats.country(country)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function Certificates({ view, texts, formats }: PartProps): JSX.Element {
  const certificates = view.content.certificates.map((certificate) => ({
    certificate,
    state: certificateState(certificate, view.asOfDay),
  }));
  return (
    <Part id="certificates" title={texts.certificates}>
      {certificates.length === 0 ? (
        <p>{texts.noCertificates}</p>
      ) : (
        <>
          {certificates.map(({ certificate, state }, index) => (
            <article class="cert" key={index}>
              <h3 dir="auto">{certificate.type}</h3>
              {state !== null && <StateBadge state={state} name={texts.states[state]} />}
              <p class="soft">{describe(certificate, texts, formats)}</p>
            </article>
          ))}
          {certificates.some(({ state }) => state !== null) && (
            <p class="small soft method">{texts.asOf({ day: formats.day(view.asOfDay) })}</p>
          )}
        </>
      )}
    </Part>
  );
}

function describe(certificate: CertificateView, texts: PartProps['texts'], formats: PartProps['formats']): string {
  const { number, issuer, validFrom, validUntil } = certificate;
  const validity = [
    ...(validFrom === null ? [] : [texts.from({ day: formats.day(validFrom) })]),
    ...(validUntil === null ? [] : [texts.until({ day: formats.day(validUntil) })]),
  ].join(' ');
  return [
    ...(number === null || number === '' ? [] : [`${texts.certificateNumber} ${number}`]),
    ...(issuer === null || issuer === '' ? [] : [texts.issuedBy({ issuer })]),
    ...(validity === '' ? [] : [validity]),
  ].join(' · ');
}

const BADGES: Readonly<Record<CertificateState, { readonly tone: string; readonly path: string }>> = {
  valid: { tone: 'ok', path: 'M2 6.5 5 9.5 10.5 3' },
  expires_soon: { tone: 'warn', path: 'M6 1.5V7M6 9.5v1' },
  expired: { tone: 'bad', path: 'M2.5 2.5l7 7M9.5 2.5l-7 7' },
  not_yet_valid: { tone: 'warn', path: 'M6 1.5V6.5L9 8.5' },
};

function StateBadge(props: { readonly state: CertificateState; readonly name: string }): JSX.Element {
  const { tone, path } = BADGES[props.state];
  return (
    <p class={`state ${tone}`}>
      <svg aria-hidden="true" viewBox="0 0 12 12">
        <path d={path} />
      </svg>
      {props.name}
    </p>
  );
}

export function Care({ view, texts }: PartProps): JSX.Element {
  const { careInstructions, expectedLifespan } = view.content;
  return (
    <Part id="care" title={texts.care}>
      {careInstructions === null ? (
        <p>{texts.noCare}</p>
      ) : (
        <p class="pre" dir="auto">
          {careInstructions}
        </p>
      )}
      {expectedLifespan !== null && (
        <>
          <h3>{texts.lifespan}</h3>
          <p dir="auto">{expectedLifespan}</p>
        </>
      )}
    </Part>
  );
}

export function EndOfLife({ view, texts }: PartProps): JSX.Element {
  const { recyclable, recyclingInstructions } = view.content;
  return (
    <Part id="end-of-life" title={texts.endOfLife}>
      <p>{recyclable === null ? texts.recyclableUnknown : recyclable ? texts.recyclable : texts.notRecyclable}</p>
      {recyclingInstructions !== null && (
        <p class="pre" dir="auto">
          {recyclingInstructions}
        </p>
      )}
    </Part>
  );
}

export function History({ view, texts, formats, locale }: PartProps): JSX.Element {
  const versions = [...view.versions].sort((a, b) => b.version - a.version);
  return (
    <Part id="history" title={texts.history}>
      <div class="stack">
        <p>{texts.historyNote}</p>
        <table class="history">
          <thead>
            <tr>
              <th scope="col">{texts.version}</th>
              <th scope="col">{texts.date}</th>
              <th scope="col">{texts.fingerprint}</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ version, publishedAt, contentHash }) => (
              <tr key={version}>
                <th scope="row">
                  {version === view.version.version ? (
                    <>
                      {texts.versionName({ version })} <span class="soft">({texts.shown})</span>
                    </>
                  ) : (
                    <a href={`${view.path}?v=${version}&lang=${locale}`}>{texts.versionName({ version })}</a>
                  )}
                </th>
                <td>{formats.date(publishedAt)}</td>
                <td class="mono">{contentHash.slice(0, HASH_PREFIX)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <h3>{texts.fingerprintFull}</h3>
        <p class="mono">{view.version.contentHash}</p>
      </div>
    </Part>
  );
}
