import { signal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { words } from './failure.js';
import { host, textOf } from './host.js';
import { chooseLanguage, type Language, language, languages } from './language.js';

/** The host by its name, if it has one. */
export const hostName = (): string => (host.name === '' ? words().host : host.name);

const announced = signal('');

/** Tells what has changed to a person who cannot see it. */
export function announce(text: string): void {
  // after a dialog is closed: until then a reader would not hear what is behind it
  requestAnimationFrame(() => {
    // the same text again would be no change
    announced.value = announced.value === text ? `${text}\u00a0` : text;
  });
}

/** Leads the focus to an element, once what was shown has changed. */
export function focusOn(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

/** The same, but only if what had the focus is gone. */
export function keepFocus(id: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById(id)?.focus();
  });
}

/** Whether the reader has moved on: only then the heading of a screen takes the focus. */
let hasMoved = false;
export const moveOn = (): void => {
  hasMoved = true;
};

/** The heading of a screen of several; after a move it is where the reader goes on. */
export function Heading({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!hasMoved) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  document.title = host.name === '' ? children : `${children} · ${host.name}`;
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}

/** The frame of each page: who it belongs to, the language, what has just happened. */
function Shell(props: { readonly nav?: ComponentChildren; children: ComponentChildren }) {
  const { nav, children } = props;
  return (
    <>
      <header class="top">
        <span class="brand">
          {host.logo === undefined ? host.name : <img src={host.logo} alt={host.name} />}
        </span>
        {nav}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
        <div class="languages row" role="group" aria-label={words().language}>
          {(Object.keys(languages) as Language[]).map((each) => (
            <button
              key={each}
              type="button"
              lang={each}
              aria-pressed={language.value === each}
              onClick={() => {
                announced.value = '';
                chooseLanguage(each);
              }}
            >
              {languages[each]}
            </button>
          ))}
        </div>
      </header>
      <main>{children}</main>
      {(host.name !== '' || host.links.length > 0) && (
        <footer class="bottom">
          <span>{host.name}</span>
          {host.links.map((link) => (
            <a key={link.href} href={link.href} rel="noreferrer">
              {textOf(link)}
            </a>
          ))}
        </footer>
      )}
      <div role="status" class="unseen">
        {announced.value}
      </div>
    </>
  );
}

/** Draws a page in place of the text for browsers without scripts. */
export function mount(page: ComponentChildren, nav?: ComponentChildren): void {
  const place = document.getElementById('page');
  if (place === null) return;
  place.replaceChildren();
  render(<Shell nav={nav}>{page}</Shell>, place);
}
