import type { JSX } from 'preact';
import type { ScoreView, StageName } from '../views.js';
import { Part, kindOf, type PartProps } from './part.js';

const STAGES: readonly StageName[] = ['raw_materials', 'manufacturing', 'distribution', 'use', 'end_of_life'];
const LEVELS = ['poor', 'fair', 'good', 'very_good', 'excellent'] as const;
type Level = (typeof LEVELS)[number];

/** Differences from the average below this are not worth a direction. */
const SAME_PCT = 1;

export function Footprint(props: PartProps): JSX.Element {
  const { texts, view } = props;
  const score = view.content.pefcr;
  const perUnit = score?.climate_change_per_unit ?? null;
  return (
    <Part id="footprint" title={texts.footprint}>
      {score === null || perUnit === null ? (
        <p>{texts.noFootprint}</p>
      ) : (
        <>
          <p class="big">
            <b>{props.formats.fixed(perUnit, 2)}</b> <span>{texts.perPiece}</span>
          </p>
          <Comparison {...props} score={score} />
          <Stages {...props} score={score} perUnit={perUnit} />
          <Quality {...props} score={score} />
          <h3>{texts.means}</h3>
          <ul class="says">
            {Object.values(texts.meansList).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {score !== null && <Flags {...props} score={score} />}
    </Part>
  );
}

type ScoreProps = PartProps & { readonly score: ScoreView };

function Comparison({ texts, formats, score, view, locale }: ScoreProps): JSX.Element | null {
  const difference = score.vs_average_pct;
  if (difference === null) return null;
  const kind = kindOf(view, locale);
  const percent = formats.percent(Math.round(Math.abs(difference)));
  const sentence =
    Math.abs(difference) < SAME_PCT
      ? texts.same({ kind })
      : difference < 0
        ? texts.below({ percent, kind })
        : texts.above({ percent, kind });
  return (
    <>
      <p>
        <strong>{sentence}</strong>
      </p>
      <p class="small soft">{texts.averageNote}</p>
    </>
  );
}

/** A table that is its own chart: the bars repeat the figures and are hidden from screen readers. */
function Stages(props: ScoreProps & { readonly perUnit: number }): JSX.Element | null {
  const { texts, formats, score, perUnit } = props;
  const rows = STAGES.flatMap((stage) => {
    const kg = score.breakdown?.[stage] ?? null;
    return kg === null ? [] : [{ stage, kg }];
  });
  if (rows.length === 0) return null;
  const greatest = Math.max(...rows.map(({ kg }) => kg), Number.MIN_VALUE);
  return (
    <table class="stages">
      <thead>
        <tr>
          <th scope="col">{texts.stage}</th>
          <th scope="col" class="n">
            {texts.amount}
          </th>
          <th scope="col" class="n">
            {texts.share}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ stage, kg }) => (
          <tr key={stage}>
            <th scope="row">
              <div class="bar">
                <span>{texts.stages[stage]}</span>
                <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
                  <rect width={Math.max(0.5, Math.round((1000 * Math.max(0, kg)) / greatest) / 10)} height="10" />
                </svg>
              </div>
            </th>
            <td class="n">{formats.fixed(kg, 2)}</td>
            <td class="n">{formats.percent(perUnit === 0 ? 0 : Math.round((100 * kg) / perUnit))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isLevel = (level: string | null): level is Level => LEVELS.some((known) => known === level);

function Quality({ texts, formats, score }: ScoreProps): JSX.Element | null {
  const { level, dqr, primary_share_pct: primaryShare } = score.data_quality;
  if (!isLevel(level)) return null;
  const reached = LEVELS.indexOf(level);
  return (
    <>
      <h3>{texts.quality}</h3>
      <div class="quality" aria-hidden="true">
        {LEVELS.map((step, index) => (
          <svg key={step} viewBox="0 0 10 10" preserveAspectRatio="none">
            <path class={index <= reached ? 'on' : 'off'} d="M0 0h10v10H0z" />
          </svg>
        ))}
      </div>
      <p>
        <strong>{texts.levels[level]}</strong>
        {dqr !== null && ` – ${texts.rating({ dqr: formats.number(dqr, 2) })}`}
      </p>
      {primaryShare !== null && (
        <p class="soft">{texts.primary({ percent: formats.percent(Math.round(primaryShare)) })}</p>
      )}
    </>
  );
}

function Flags({ texts, score, view }: ScoreProps): JSX.Element {
  const told: Readonly<Record<string, string>> = texts.flags;
  const sentences = score.data_quality.flags.flatMap((flag) => told[flag] ?? []);
  const { methodVersion, factorSetHash } = view.content;
  return (
    <>
      {sentences.length > 0 && (
        <>
          <h3>{texts.flagsTitle}</h3>
          <ul class="says">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {methodVersion !== null && (
        <p class="small soft method">
          {texts.method({ version: methodVersion })}
          {factorSetHash !== null && (
            <>
              {' · '}
              {texts.factors} <span class="mono">{factorSetHash.slice(0, 12)}</span>
            </>
          )}
        </p>
      )}
    </>
  );
}
