import { computed, signal } from '@preact/signals';
import type { ClientOptions, FetchLike } from 'dealwright/client';
import type { ResultAsync } from 'neverthrow';
import { ActionForm } from './action-form.js';
import { Alert, Button, Card, Field } from './components.js';
import { dropDrafts, giveDrafts } from './drafts.js';
import { type CallError, type Failure, failureOf } from './failure.js';
import { words } from './screen-words.js';
import { focusOn, moveOn } from './shell.js';
import { keep, readKept } from './storage.js';

/** The pages lie below the path of the service. */
const baseUrl = new URL('..', location.href).href;

const browserFetch: FetchLike = (url, request) => fetch(url, request);

/**
 * Who uses a page: by an API token, which is kept in this tab alone, or without one by the session
 * of the host (a cookie). `name` is that of the token in the storage.
 */
export function createSession<C>(
  name: string,
  create: (options: ClientOptions) => C,
  /** Finds out by a cheap call who is in, if that can be known. */
  whoIs: (client: C) => ResultAsync<string | undefined, CallError>,
) {
  const token = signal(readKept(name));
  /** The service has said that it does not know the caller. */
  const isOut = signal(false);
  /** Whether the session of the host was good here: then it has ended, if nobody is in. */
  let isOfHost = false;
  /** Whether the service did not ask the host, because a change did not come from its own origin. */
  let isForeign = false;

  function clientOf(by: string | undefined, sending: FetchLike, isNew = false): C {
    const fetch: FetchLike = async (url, request) => {
      const { Authorization: header = '', ...headers } = request.headers;
      const own = by === undefined ? headers : { ...headers, Authorization: header };
      const response = await sending(url, { ...request, headers: own });
      if (response.status === 401 && !isNew) {
        isForeign = response.headers.get('www-authenticate')?.includes(foreignOrigin) === true;
        isOut.value = true;
        focusOn('sign-in');
      }
      isOfHost ||= response.status < 300 && by === undefined;
      return response;
    };
    return create({ baseUrl, token: by ?? 'none', fetch });
  }
  const client = computed(() => clientOf(token.value, browserFetch));
  /** Whether it is known whose drafts are kept: with a token, since it was entered. */
  const isKnown = signal(token.value !== undefined);
  if (!isKnown.value) {
    whoIs(client.value).then((found) => {
      if (isOut.value) return;
      giveDrafts(found.unwrapOr(undefined));
      isKnown.value = true;
    });
  }

  return {
    isOut,
    hasToken: () => token.value !== undefined,
    isOfHost: () => isOfHost,
    isForeign: () => isForeign,
    isKnown,
    client,
    /** The same client with a `fetch` of its own, for an upload. */
    clientWith: (fetch: FetchLike) => clientOf(token.value, fetch),
    async enter(text: string): Promise<Failure | undefined> {
      const refused = { ...failureOf({ code: 'validation_failed' }), fields: unknownToken() };
      let tried: C;
      try {
        tried = clientOf(text.trim(), browserFetch, true);
      } catch {
        return refused; // no header can hold it
      }
      const answer = await whoIs(tried);
      if (answer.isErr()) {
        const failure = failureOf(answer.error);
        return failure.isUnknown ? refused : failure;
      }
      keep(name, text.trim());
      if (giveDrafts(answer.value ?? text.trim())) {
        // nor is anything else in the memory of the page for another one
        location.hash = '';
        location.reload();
        return undefined;
      }
      token.value = text.trim();
      isKnown.value = true;
      moveOn();
      isOut.value = false;
      return undefined;
    },
    /** Forgets the token, what was typed, and all that is in the memory of the page. */
    leave() {
      keep(name, undefined);
      dropDrafts();
      location.hash = '';
      location.reload();
    },
  };
}

export type Session = Pick<
  ReturnType<typeof createSession<unknown>>,
  'enter' | 'hasToken' | 'isForeign' | 'isKnown' | 'isOfHost' | 'isOut' | 'leave'
>;

/** How the service says so, in the header `WWW-Authenticate`. */
const foreignOrigin = 'foreign_origin';

const unknownToken = () => ({ token: words().signIn.unknown });

/** Asks for a token if neither a kept one nor the session of the host is valid. */
export function SignIn({ session }: { readonly session: Session }) {
  const { signIn, refresh } = words();
  const text = typed;
  return (
    <div class="obstacle">
      <Card id="sign-in" title={signIn.title}>
        {session.hasToken() && <Alert>{signIn.ended}</Alert>}
        {session.isOfHost() && !session.hasToken() && (
          <>
            {session.isForeign() ? (
              <Alert>
                {signIn.foreign}
                <pre>{nginx}</pre>
              </Alert>
            ) : (
              <Alert>{signIn.hostEnded}</Alert>
            )}
            <div class="actions">
              <Button kind="main" onClick={() => location.reload()}>
                {refresh}
              </Button>
            </div>
          </>
        )}
        <p>{signIn.help}</p>
        <ActionForm
          action={signIn.send}
          send={async () => {
            const failure = await session.enter(text.value);
            if (failure === undefined) text.value = '';
            return failure;
          }}
        >
          {(errors) => (
            <Field label={signIn.token} text={text} type="password" error={errors['token']} />
          )}
        </ActionForm>
      </Card>
    </div>
  );
}

/** What nginx lacks as it comes: it puts another host into requests, and takes 1 MB at most. */
const nginx = `proxy_set_header Host $http_host;
client_max_body_size 30m;`;

/** Of the form alone: it is no draft, which would be kept. */
const typed = signal('');
