import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { BackEnd } from './offer-kit.js';
import { openPartnerBackEnd, openScreens } from './portal-kit.js';

/** The token of the operator. */
export const token = 'a-token-of-the-operator';

/** A back end that knows the operator and the partner by their tokens. */
export const openOperatorBackEnd = (
  mount?: Parameters<typeof openPartnerBackEnd>[0],
  own: Parameters<typeof openPartnerBackEnd>[1] = {},
) => openPartnerBackEnd(mount, { ...own, operatorTokens: [[token, 'sandbox']] });

export type ConsolePage = Awaited<ReturnType<typeof openConsole>>;

/** The console in a browser. */
export const openConsole = (
  browser: Browser,
  backEnd: Pick<BackEnd, 'baseUrl'>,
  options: BrowserContextOptions = {},
) => openScreens(browser, `${backEnd.baseUrl}/deals/console/`, token, options);
