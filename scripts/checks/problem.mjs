// @ts-check

/**
 * A finding of a check.
 *
 * @typedef {object} Problem
 * @property {string} file relative to the root
 * @property {number} line from 1
 * @property {string} message
 */

/**
 * As one line that an editor can follow.
 *
 * @param {Problem} problem
 * @returns {string}
 */
export function describeProblem({ file, line, message }) {
  return `${file}:${line} ${message}`;
}
