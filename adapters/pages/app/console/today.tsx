import { useSignal } from '@preact/signals';
import type { OperatorDealQuery, RunReport, Summary, SummaryLine } from 'dealwright';
import { useEffect, useMemo } from 'preact/hooks';
import { Alert, Button, Card, Facts } from '../base/components.js';
import { type Failure, failureOf } from '../base/failure.js';
import { Moment } from '../base/format.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
import { Obstacle } from '../base/obstacle.js';
import { hrefOf } from '../base/route.js';
import { announce, Heading } from '../base/shell.js';
import { createView } from '../base/view.js';
import { api } from './api.js';
import { dealRowColumns, PartnerLink } from './deal-rows.js';
import { FailingRows } from './failing.js';
import { ReportRows } from './reports.js';
import { words } from './words.js';

/** Rows of a reason before more are asked for. */
const firstRows = 5;

/** What needs the operator, and what is due. */
export function Today() {
  const of = words();
  const view = useMemo(
    () =>
      createView<Summary, never>(
        async () => api().summarize(inLanguage()),
        () => '',
      ),
    [],
  );
  useEffect(() => void view.load(), [view]);
  const { seen, failure, notice } = view;
  if (failure.value !== undefined) {
    const back = [hrefOf(['deals']), of.nav.deals] as const;
    return <Obstacle failure={failure.value} retry={view.loadAgain} back={back} />;
  }
  if (seen.value === undefined) return <p class="loading muted">{of.loading} …</p>;
  const lines = seen.value.results.filter(({ count }) => count > 0);
  return (
    <>
      <div class="title row">
        <Heading>{of.today.heading}</Heading>
        <Button kind="quiet" onClick={() => view.load()}>
          {of.refresh}
        </Button>
      </div>
      {notice.value !== undefined && <Alert>{notice.value.message}</Alert>}
      <Card id="next" title={of.nav.today}>
        {lines.length === 0 ? (
          <p>{of.today.nothing}</p>
        ) : (
          <Facts
            of={lines.map((line) => [
              of.alerts[line.reason],
              <Waiting key={line.reason} of={line} />,
            ])}
          />
        )}
      </Card>
      {lines.map(({ reason, since }) => (
        // another oldest is another list
        <Card key={`${reason} ${since}`} title={of.alerts[reason]}>
          {reason === 'webhook_failing' ? (
            <FailingRows size={firstRows} />
          ) : reason === 'report_unmatched' ? (
            <ReportRows size={firstRows} done={() => view.load(true)} />
          ) : (
            <Deals alert={reason} />
          )}
        </Card>
      ))}
      <Due done={() => view.load()} />
    </>
  );
}

/** How many wait for a reason, and since when. */
function Waiting({ of: { reason, count, is_more, since } }: { readonly of: SummaryLine }) {
  const href =
    reason === 'webhook_failing'
      ? hrefOf(['failing'])
      : reason === 'report_unmatched'
        ? hrefOf(['reports'])
        : hrefOf(['deals'], { alert: reason });
  const { today } = words();
  return (
    <>
      <a href={href}>
        {today.show} {count}
        {is_more && '+'}
      </a>
      {since !== null && (
        <span class="muted block">
          {today.oldest} <Moment at={since} />
        </span>
      )}
    </>
  );
}

function Deals({ alert }: { readonly alert: NonNullable<OperatorDealQuery['alert']> }) {
  const of = words();
  const list = useList(
    alert,
    (page) => api().listDeals({ alert, ...page }, inLanguage()),
    firstRows,
  );
  return (
    <Rows list={list} name={of.alerts[alert]} columns={dealRowColumns()}>
      <p>{of.none.filtered}</p>
    </Rows>
  );
}

type Run = 'runTimers' | 'runEffects';

/** Does what is due, for a host without regular work, or now. */
function Due({ done }: { readonly done: () => unknown }) {
  const of = words();
  const running = useSignal<Run | undefined>(undefined);
  const report = useSignal<(RunReport & { readonly name: Run }) | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  async function run(name: Run): Promise<void> {
    if (running.value !== undefined) return;
    running.value = name;
    const ran = await api()[name]();
    running.value = undefined;
    failure.value = ran.isErr() ? failureOf(ran.error) : undefined;
    report.value = ran.isErr() ? undefined : { ...ran.value, name };
    if (ran.isErr()) return;
    await done();
    announce(of.due.report(of.due[name].done, String(ran.value.done), String(ran.value.failed)));
  }
  return (
    <Card title={of.due.heading}>
      <p class="hint">{of.due.help}</p>
      <div class="actions">
        {(['runTimers', 'runEffects'] as const).map((name) => (
          <Button key={name} onClick={() => run(name)}>
            {running.value === name ? `${of.sending} …` : of.due[name].open}
          </Button>
        ))}
      </div>
      {failure.value !== undefined && <Alert>{failure.value.message}</Alert>}
      {report.value !== undefined && <Report of={report.value} />}
    </Card>
  );
}

function Report({ of: { name, done, failed, failures } }: { of: RunReport & { name: Run } }) {
  const of = words();
  return (
    <>
      <p>{of.due.report(of.due[name].done, String(done), String(failed))}</p>
      {failures.length > 0 && (
        <ul>
          {failures.map(({ partner, partner_id, reason }, at) => (
            <li key={`${at}`}>
              <PartnerLink partner={partner} />
              {partner_id !== '' && (
                <>
                  {', '}
                  <a href={hrefOf(['deals', partner, partner_id])} dir="auto">
                    {partner_id}
                  </a>
                </>
              )}
              : <bdi>{reason}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
