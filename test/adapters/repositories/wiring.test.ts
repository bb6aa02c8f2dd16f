import { createMarketplace, type MarketplaceOptions } from 'dealwright';
import { createHttpRepositories, type HttpRepositoriesOptions } from 'dealwright/http-repositories';
import type { UpstreamPorts } from 'dealwright/ports';
import { strictProfile } from 'dealwright/strict';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createPorts, paymentTokens } from '../../kit/ports.js';
import { acme, token } from './asking.js';

const baseUrl = 'https://deals.example.com';
const own = createPorts();
const { clock, timer, ids, digest, sha256, categories } = own;
const upstream = createHttpRepositories({ baseUrl, token, tenant: acme });
const ports: UpstreamPorts = { ...upstream, clock, timer, ids, digest, sha256, categories };

/** What the types would refuse as well. */
const wire = (more: object, options: MarketplaceOptions = {}) =>
  createMarketplace({ ...ports, ...more } as UpstreamPorts, options);

describe('a marketplace over another service', () => {
  it('takes its own rules, catalogue and limits', () => {
    const options = { profile: strictProfile, deadline: 100, fileLimit: 10 };
    expect(wire({}, options).fileLimit).toBe(10);
  });

  it.each<[string, object, MarketplaceOptions]>([
    ['paymentTokens', { paymentTokens }, {}],
    ['files', { files: own.files }, {}],
    ['scanner', { scanner: { scan: () => ok('accepted') } }, {}],
    ['events', { events: own.events }, {}],
    ['stagePlanner', {}, { stagePlanner: (deal) => [{ ...deal, name: 'All' }] }],
    ['contractorScope', {}, { contractorScope: 'environment' }],
    ['paymentTokens, contractorScope', { paymentTokens }, { contractorScope: 'partner' }],
  ])('refuses %s, which it decides', (names, more, options) => {
    expect(() => wire(more, options)).toThrow(
      new TypeError(
        `createMarketplace: the service upstream decides this itself, leave it out: ${names}`,
      ),
    );
  });

  it('refuses a store that leaves open who decides', () => {
    const decisions = upstream.upstream.filter((each) => each !== 'stages' && each !== 'cursors');
    expect(() => wire({ upstream: decisions })).toThrow(/in upstream: cursors, stages$/);
    for (const each of upstream.upstream) {
      const others = upstream.upstream.filter((other) => other !== each);
      expect(() => wire({ upstream: others })).toThrow(
        new TypeError(
          `createMarketplace: a store of another service leaves to it, in upstream: ${each}`,
        ),
      );
    }
    expect(upstream.upstream).toHaveLength(10);
    expect(() => wire({ upstream: 'stages' })).toThrow(/in upstream: contractor_scope, /);
    expect(() => wire({ upstream: null })).toThrow(TypeError);
  });

  it('names the methods that are missing', () => {
    expect(() => wire({ workFiles: undefined, dealIndex: own.dealIndex, sha256: 7 })).toThrow(
      new TypeError(
        'createMarketplace: these port methods are missing: dealIndex.page, workFiles.add, sha256',
      ),
    );
  });

  it('does not take the doors of such a store for a store of its own', () => {
    const { upstream: _, ...rest } = { ...ports, paymentTokens, files: own.files };
    expect(() => createMarketplace(rest as never)).toThrow(/missing: dealIndex\.list$/);
  });
});

describe('the options of repositories', () => {
  it.each<[string, object]>([
    ['baseUrl', { baseUrl: 'ftp://deals.example.com' }],
    ['baseUrl', { baseUrl: undefined }],
    ['baseUrl', { baseUrl: `https://user:${token}@deals.example.com` }],
    ['timeout', { timeout: 0 }],
    ['headers', { headers: { 'a b': 'c' } }],
    ['header', { headers: { Authorization: 'Token x' } }],
    ['fetch', { fetch: 7 }],
    ['token', { token: 'to ken' }],
    ['token', { token: undefined }],
    ['token', { token: 7 }],
    ['tenant', { tenant: undefined }],
    ['tenant', { tenant: { environment: 'staging', partner: 'acme' } }],
  ])('say what is wrong with %s, without its value', (name, wrong) => {
    const options = { baseUrl, token, tenant: acme, ...wrong } as HttpRepositoriesOptions;
    const attempt = () => createHttpRepositories(options);
    expect(attempt).toThrow(TypeError);
    expect(attempt).toThrow(new RegExp(`^createHttpRepositories: .*${name}`));
    expect(attempt).not.toThrow(new RegExp(token));
  });

  it('need no tenant where the token is a function of it', () => {
    expect(createHttpRepositories({ baseUrl, token: () => undefined }).upstream).toContain('ids');
  });
});
