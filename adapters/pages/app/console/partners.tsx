import { useSignal } from '@preact/signals';
import { ActionForm } from '../base/action-form.js';
import { Field } from '../base/components.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
import { goTo, hrefOf } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { api } from './api.js';
import { PartnerLink } from './deal-rows.js';
import { words } from './words.js';

/** The partners that have written something, and a way to any by its name. */
export function Partners() {
  const of = words();
  const name = useSignal('');
  const list = useList('', (page) => api().listPartners(page, inLanguage()));
  return (
    <>
      <div class="title">
        <Heading>{of.nav.partners}</Heading>
      </div>
      <section class="card">
        <ActionForm
          action={of.partners.open}
          send={async () => {
            // it is exact: another one may differ in a blank
            if (name.value !== '') goTo(hrefOf(['partners', name.value]));
            return undefined;
          }}
        >
          {() => <Field label={of.partners.name} text={name} />}
        </ActionForm>
      </section>
      <section class="card">
        <Rows
          list={list}
          name={of.nav.partners}
          columns={[
            [
              of.partner,
              ({ partner_name }) => partner_name ?? '',
              ({ partner, partner_name }) => <PartnerLink partner={partner} name={partner_name} />,
            ],
            [of.partners.name, ({ partner }) => partner],
            [
              of.nav.deals,
              undefined,
              ({ partner }) => (
                <a href={hrefOf(['deals'], { partner })} aria-label={`${of.nav.deals}: ${partner}`}>
                  {of.nav.deals}
                </a>
              ),
            ],
          ]}
        >
          <p>{of.empty.partners}</p>
        </Rows>
      </section>
    </>
  );
}
