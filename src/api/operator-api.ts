import type { ResultAsync } from 'neverthrow';
import type {
  ListDealsError,
  ListEventsError,
  RetrieveDealError,
  SearchDealsError,
  TimeLineError,
  Unavailable,
} from '../domain/input/errors.js';
import type {
  DealsFound,
  EventsPage,
  FailingConsumersPage,
  OperatorDealPage,
  OperatorDetails,
  OperatorView,
  PartnersPage,
  RunReport,
  ServicePromises,
  Summary,
  UnmatchedReport,
  UnmatchedReportsPage,
} from './answers.js';
import type { OperatorCommands } from './commands.js';
import type {
  DealSearch,
  DeliveryListQuery,
  EventPageQuery,
  EventQuery,
  OperatorDealQuery,
  ReadOptions,
} from './inputs.js';
import type { PartnerApi } from './partner-api.js';
import type { PartnerEvents } from './partner-events.js';
import type { TermsReads } from './terms-api.js';
import type { TransportError } from './transport-errors.js';

/** The calls of the operator in one environment: for every deal of every partner. */
export interface OperatorApi<Transport = TransportError> {
  /**
   * The deals of one partner, as the operator sees them. Throws a `TypeError` if it is not a
   * partner.
   */
  partner(partner: string): OperatorDeals<Transport>;
  /** The deals of all partners, or of one: GET /operator/deal/ */
  listDeals(
    query?: OperatorDealQuery,
    options?: ReadOptions,
  ): ResultAsync<OperatorDealPage, ListDealsError | Transport>;
  /** Finds deals of all partners by a text: GET /operator/search/ */
  searchDeals(
    query: DealSearch,
    options?: ReadOptions,
  ): ResultAsync<DealsFound, SearchDealsError | Transport>;
  /** What needs the operator: GET /operator/summary/ */
  summarize(options?: ReadOptions): ResultAsync<Summary, Unavailable | Transport>;
  /** The readers of events that fail, the longest first: GET /operator/failing/ */
  listFailing(
    query?: DeliveryListQuery,
    options?: ReadOptions,
  ): ResultAsync<FailingConsumersPage, ListDealsError | Transport>;
  /** The reports that match no payment, the longest waiting first: GET /operator/report/ */
  listUnmatchedReports(
    query?: DeliveryListQuery,
    options?: ReadOptions,
  ): ResultAsync<UnmatchedReportsPage, ListDealsError | Transport>;
  /** The partners that have written something: GET /operator/partner/ */
  listPartners(
    query?: DeliveryListQuery,
    options?: ReadOptions,
  ): ResultAsync<PartnersPage, ListDealsError | Transport>;
  /** The feed of one partner, the oldest event first: GET /operator/event/?partner= */
  listEvents(
    query: EventQuery & { readonly partner: string },
    options?: ReadOptions,
  ): ResultAsync<EventsPage, ListEventsError | Transport>;
  /** What the service promises in this environment: GET /api/2.0/ */
  retrievePromises(
    options?: ReadOptions,
  ): ResultAsync<ServicePromises, RetrieveDealError | Transport>;
  /** Gives the commands of the clock that are due: POST /operator/run-timers/ */
  runTimers(): ResultAsync<RunReport, Unavailable | Transport>;
  /** Executes the due tasks outside of the store: POST /operator/run-effects/ */
  runEffects(): ResultAsync<RunReport, Unavailable | Transport>;
}

/**
 * What the operator may do for the webhooks of a partner: all that gets failed deliveries to their
 * receiver. The paths are those of the partner below /operator/{partner}/.
 */
export type OperatorWebhooks<Transport = TransportError> = Pick<
  PartnerEvents<Transport>,
  | 'listWebhooks'
  | 'enableWebhook'
  | 'listDeliveries'
  | 'listFailedDeliveries'
  | 'listDealDeliveries'
  | 'redeliver'
  | 'redeliverAll'
>;

/**
 * The deals of one partner with their work files, its API tokens, and its webhooks (decision 6.5).
 * A file has the path GET /operator/{partner}/deal/{partner_id}/file/{file_id}/, the tokens have
 * GET /operator/{partner}/token/
 */
export interface OperatorDeals<Transport = TransportError>
  extends OperatorCommands<OperatorView, Transport>,
    TermsReads<Transport>,
    Pick<PartnerApi<Transport>, 'downloadWorkFile' | 'listTokens'>,
    OperatorWebhooks<Transport> {
  /** GET /operator/{partner}/deal/{partner_id}/ */
  retrieveDeal(
    partner_id: string,
    options?: ReadOptions,
  ): ResultAsync<OperatorDetails, RetrieveDealError | Transport>;
  /**
   * Takes a report that matches no payment from the list of those that wait: POST
   * /operator/{partner}/report/{report_id}/dismiss/
   */
  dismissReport(
    id: string,
    options?: ReadOptions,
  ): ResultAsync<UnmatchedReport, RetrieveDealError | Transport>;
  /** GET /operator/{partner}/deal/{partner_id}/event/ */
  listDealEvents(
    partner_id: string,
    query?: EventPageQuery,
    options?: ReadOptions,
  ): ResultAsync<EventsPage, TimeLineError | Transport>;
}
