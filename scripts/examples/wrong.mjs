// @ts-check
// Requests with one field that is refused.

/** @typedef {import('./scenes.mjs').Scene} Scene */

/** @param {string} name @returns {NonNullable<Scene['wrong']>} */
export const without = (name) => (request) => {
  const { [name]: _, ...body } = Object(request.body);
  return { ...request, body };
};
/** @type {NonNullable<Scene['wrong']>} */
export const emptyReason = (request) => ({
  ...request,
  body: { ...Object(request.body), reason: '' },
});
/** @type {NonNullable<Scene['wrong']>} */
export const emptyMessage = (request) => ({ ...request, body: { message: '' } });
/** @type {NonNullable<Scene['wrong']>} */
export const emptyPage = (request) => ({
  ...request,
  parameters: { ...request.parameters, page_size: 0 },
});
/** @type {NonNullable<Scene['wrong']>} */
export const tooDeep = (request) => ({ ...request, body: '['.repeat(65) });
