import type { ComponentChildren, JSX } from 'preact';
import type { Formats, Locale } from '../locale.js';
import { categoryName } from '../names/categories.js';
import type { ConsumerPageView } from '../views.js';
import type { TextsOf } from '../texts/index.js';

/** What each part of the page is given. */
export interface PartProps {
  readonly view: ConsumerPageView;
  readonly locale: Locale;
  readonly texts: TextsOf<'consumer'>;
  readonly formats: Formats;
}

/** A section of the page: its heading beside it where there is room. */
export function Part(props: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="part" aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      <div>{props.children}</div>
    </section>
  );
}

/** The kind of garment as exactly as it is known. */
export const kindOf = (view: ConsumerPageView, locale: Locale): string =>
  categoryName(view.content.subcategory ?? view.content.categoryId, locale);

/** The address if a browser may safely be led there, else null. */
export function httpLink(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
