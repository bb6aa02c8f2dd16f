import { openPartnerBackEnd, useScreens } from './portal-kit.js';

/** The token of the operator. */
export const token = 'a-token-of-the-operator';

/** A back end that knows the operator and the partner by their tokens. */
export const openOperatorBackEnd = (
  mount?: Parameters<typeof openPartnerBackEnd>[0],
  own: Parameters<typeof openPartnerBackEnd>[1] = {},
) => openPartnerBackEnd(mount, { ...own, operatorTokens: [[token, 'sandbox']] });

/** The console in Chromium, with its back end, for the tests of a file. */
export const useConsole = (own?: Parameters<typeof openPartnerBackEnd>[1]) =>
  useScreens('console', token, () => openOperatorBackEnd(undefined, own));
