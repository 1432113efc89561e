/** Admins see webhooks only, so a token that could not subscribe is refused as the account is connected. */
export const authentication = {
  type: 'custom',
  fields: [
    {
      key: 'url',
      label: 'Address of Rapport',
      required: true,
      type: 'string',
      helpText: 'For example https://rapport.example.com',
    },
    {
      key: 'token',
      label: 'API token',
      required: true,
      type: 'password',
      helpText:
        'Settings → API → token of the organization, with the scopes webhooks:write, rooms:read, rooms:write, calls:read, calls:write, and team:read',
    },
  ],
  test: async (z, bundle) => (await z.request({ url: api(bundle, 'webhooks') })).data,
  connectionLabel: '{{bundle.authData.url}}',
};

export const addToken = (request, _z, bundle) => {
  request.headers = { ...request.headers, Authorization: `Bearer ${bundle.authData.token}` };
  return request;
};

/** What is in front of Rapport, or another server, may answer with a page. */
const problemOf = (content) => {
  try {
    return JSON.parse(content) ?? {};
  } catch {
    return {};
  }
};

/** Rapport says in `message` what to do. */
export const explainRefusal = (response, z) => {
  if (response.status < 400) return response;
  const { message = `Rapport answered ${response.status}.`, code = 'error' } = problemOf(
    response.content,
  );
  throw new z.errors.Error(message, code, response.status);
};

export const api = (bundle, path) => `${bundle.authData.url.replace(/\/+$/, '')}/api/${path}`;
