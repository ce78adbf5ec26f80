import type { Answer, Call, SignedUp } from './service.js';

/** What a real call stands on: records of the brand, and whoever calls. */
export interface Stage {
  readonly caller: SignedUp;
  readonly organizationId: string;
  /** Records of the brand, by what they are. */
  readonly records: Readonly<Record<'product' | 'supplier' | 'batch' | 'passport' | 'webhook' | 'delivery', string>> & {
    readonly file: string;
    readonly fileType: string;
    /** `/p/{gtin}/{serial}` */
    readonly page: string;
  };
  readonly adminToken: string;
  /** As an owner of the brand; answers the id of what was made. */
  readonly make: (url: string, payload: object) => Promise<string>;
  /** As the caller, below `/supplier`; answers the id of what was made. */
  readonly keep: (path: string, payload: object) => Promise<string>;
  readonly upload: () => Promise<string>;
  readonly call: (options: Call) => Promise<Answer>;
}

type RealCall = Pick<Call, 'url' | 'payload' | 'headers'>;

const fresh = (): string => `${crypto.randomUUID()}@example.com`;

const PRODUCT = {
  name: 'T-shirt',
  materials: [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'IN' }],
};
const ENTRIES = {
  products: { name: 'Jersey' },
  facilities: { name: 'Hall' },
  'sub-suppliers': { name: 'Yarn house' },
} as const;

/** The parts of a form with one file, as a body and its headers. */
export function multipart(parts: Readonly<Record<string, string>>, fileName?: string): Omit<RealCall, 'url'> {
  const boundary = 'a-boundary';
  const body = Object.entries(parts).map(([name, value]) => {
    const file = name === 'file' && fileName !== undefined ? `; filename="${fileName}"` : '';
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: `${body.join('')}--${boundary}--\r\n`,
  };
}

const form = (fields: Readonly<Record<string, string>>): Omit<RealCall, 'url'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  payload: new URLSearchParams(fields).toString(),
});

/** Calls that succeed, by route; a route that is not here is known by its refusals alone. */
export const REAL_CALLS: Readonly<Record<string, (stage: Stage) => RealCall | Promise<RealCall>>> = {
  ...ofBrand(),
  ...ofOrganization(),
  ...ofAccount(),
  ...ofFactory(),
  ...ofAnybody(),
};

function ofBrand(): typeof REAL_CALLS {
  const at = (path: string) => () => ({ url: path });
  const webhook = async ({ make }: Stage) =>
    make('/brand/webhooks', { url: 'https://hooks.example/passports', events: ['dpp.published'] });
  return {
    'GET /brand/batches': at('/brand/batches'),
    'POST /brand/batches': ({ records }) => ({
      url: '/brand/batches',
      payload: { productId: records.product, factoryId: records.supplier, poReference: 'PO-2', quantity: 5 },
    }),
    'GET /brand/batches/:id': ({ records }) => ({ url: `/brand/batches/${records.batch}` }),
    'POST /brand/bulk/commit': () => ({
      url: '/brand/bulk/commit',
      payload: { mode: 'create', rows: [{ name: 'A' }] },
    }),
    'POST /brand/bulk/validate': () => ({
      url: '/brand/bulk/validate',
      payload: { mode: 'create', rows: [{ name: 'A' }] },
    }),
    'POST /brand/bulk/files': () => ({ url: '/brand/bulk/files', ...multipart({ file: 'name\r\nShirt' }, 'a.csv') }),
    'GET /brand/bulk/files/:id': ({ records }) => ({ url: `/brand/bulk/files/${records.file}` }),
    'POST /brand/bulk/files/:id/validate': async ({ upload }) => ({
      url: `/brand/bulk/files/${await upload()}/validate`,
      payload: { mapping: { name: 'name' } },
    }),
    'POST /brand/bulk/files/:id/commit': async ({ upload }) => ({
      url: `/brand/bulk/files/${await upload()}/commit`,
      payload: { mapping: { name: 'name' } },
    }),
    'GET /brand/bulk/imports': at('/brand/bulk/imports'),
    'GET /brand/bulk/imports/:id': ({ records }) => ({ url: `/brand/bulk/imports/${records.file}` }),
    'GET /brand/bulk/mappings/:fileType': ({ records }) => ({ url: `/brand/bulk/mappings/${records.fileType}` }),
    'PUT /brand/bulk/mappings/:fileType': ({ records }) => ({
      url: `/brand/bulk/mappings/${records.fileType}`,
      payload: { mapping: { name: 'name' } },
    }),
    'GET /brand/bulk/template.xlsx': at('/brand/bulk/template.xlsx'),
    'GET /brand/deliveries/:id': ({ records }) => ({ url: `/brand/deliveries/${records.delivery}` }),
    'GET /brand/dpps': at('/brand/dpps'),
    'GET /brand/dpps/by-product/:productId': ({ records }) => ({ url: `/brand/dpps/by-product/${records.product}` }),
    'GET /brand/products': at('/brand/products'),
    'POST /brand/products': () => ({ url: '/brand/products', payload: PRODUCT }),
    'GET /brand/products/:id': ({ records }) => ({ url: `/brand/products/${records.product}` }),
    'PUT /brand/products/:id': ({ records }) => ({ url: `/brand/products/${records.product}`, payload: { name: 'B' } }),
    'DELETE /brand/products/:id': async ({ make }) => ({
      url: `/brand/products/${await make('/brand/products', PRODUCT)}`,
    }),
    'POST /brand/products/:id/publish': ({ records }) => ({
      url: `/brand/products/${records.product}/publish`,
      payload: {},
    }),
    'GET /brand/qr/:dppId': ({ records }) => ({ url: `/brand/qr/${records.passport}` }),
    'GET /brand/proposals': at('/brand/proposals'),
    'GET /brand/suppliers': at('/brand/suppliers'),
    'GET /brand/suppliers/:id': ({ records }) => ({ url: `/brand/suppliers/${records.supplier}` }),
    'POST /brand/suppliers/invite': () => ({
      url: '/brand/suppliers/invite',
      payload: { factoryName: 'Mill', contactEmail: fresh(), country: 'PT', tier: 2 },
    }),
    'GET /brand/webhooks': at('/brand/webhooks'),
    'POST /brand/webhooks': () => ({
      url: '/brand/webhooks',
      payload: { url: 'https://hooks.example/more', events: ['dpp.published'] },
    }),
    'GET /brand/webhooks/:id': ({ records }) => ({ url: `/brand/webhooks/${records.webhook}` }),
    'DELETE /brand/webhooks/:id': async (stage) => ({ url: `/brand/webhooks/${await webhook(stage)}` }),
    'PATCH /brand/webhooks/:id': ({ records }) => ({
      url: `/brand/webhooks/${records.webhook}`,
      payload: { events: ['dpp.published'] },
    }),
    'GET /brand/webhooks/:id/deliveries': ({ records }) => ({ url: `/brand/webhooks/${records.webhook}/deliveries` }),
    'POST /brand/webhooks/:id/replay': ({ records }) => ({
      url: `/brand/webhooks/${records.webhook}/replay`,
      payload: { from: '2026-01-01', to: '2026-01-02' },
    }),
    'POST /brand/webhooks/:id/rotate-secret': async (stage) => ({
      url: `/brand/webhooks/${await webhook(stage)}/rotate-secret`,
    }),
    'POST /brand/webhooks/:id/test': ({ records }) => ({ url: `/brand/webhooks/${records.webhook}/test` }),
  };
}

function ofOrganization(): typeof REAL_CALLS {
  const members = ({ organizationId }: Stage) => `/organizations/${organizationId}/members`;
  const keys = ({ organizationId }: Stage) => `/organizations/${organizationId}/api-keys`;
  const KEY = { name: 'Robot', scopes: ['read'] };
  const invited = async (stage: Stage) =>
    `${members(stage)}/${await stage.make(members(stage), { email: fresh(), role: 'editor' })}`;
  return {
    'GET /organizations': () => ({ url: '/organizations' }),
    'POST /organizations': () => ({ url: '/organizations', payload: { name: 'Another' } }),
    'GET /organizations/:id': ({ organizationId }) => ({ url: `/organizations/${organizationId}` }),
    'GET /organizations/:id/api-keys': (stage) => ({ url: keys(stage) }),
    'POST /organizations/:id/api-keys': (stage) => ({ url: keys(stage), payload: KEY }),
    'DELETE /organizations/:id/api-keys/:keyId': async (stage) => ({
      url: `${keys(stage)}/${await stage.make(keys(stage), KEY)}`,
    }),
    'GET /organizations/:id/members': (stage) => ({ url: members(stage) }),
    'POST /organizations/:id/members': (stage) => ({
      url: members(stage),
      payload: { email: fresh(), role: 'auditor' },
    }),
    'DELETE /organizations/:id/members/:userId': async (stage) => ({ url: await invited(stage) }),
    'PATCH /organizations/:id/members/:userId': async (stage) => ({
      url: await invited(stage),
      payload: { role: 'auditor' },
    }),
    'DELETE /organizations/:id/members/:userId/personal-data': async (stage) => ({
      url: `${await invited(stage)}/personal-data`,
    }),
    'PUT /admin/organizations/:id/plan': ({ organizationId }) => ({
      url: `/admin/organizations/${organizationId}/plan`,
      payload: { plan: 'pro' },
    }),
  };
}

function ofAccount(): typeof REAL_CALLS {
  const credentials = ({ caller: { email, password } }: Stage) => ({ email, password });
  return {
    'GET /account/export': () => ({ url: '/account/export' }),
    'PUT /auth/password': ({ caller: { password } }) => ({
      url: '/auth/password',
      payload: { currentPassword: password, newPassword: password },
    }),
    'GET /auth/sessions': () => ({ url: '/auth/sessions' }),
    'DELETE /auth/sessions/:id': async (stage) => {
      await stage.call({ method: 'POST', url: '/auth/login', payload: credentials(stage) });
      const headers = { authorization: `Bearer ${stage.caller.token}` };
      const { json } = await stage.call({ url: '/auth/sessions', headers });
      const { data } = json as { data: { id: string; current: boolean }[] };
      return { url: `/auth/sessions/${data.find(({ current }) => !current)?.id ?? ''}` };
    },
  };
}

function ofFactory(): typeof REAL_CALLS {
  const CERTIFICATE = { type: 'GOTS', number: '1' };
  const page = '/supplier/catalogue';
  const calls: Record<string, (stage: Stage) => RealCall | Promise<RealCall>> = {
    'GET /supplier': () => ({ url: '/supplier' }),
    'GET /supplier/brands': () => ({ url: '/supplier/brands' }),
    'GET /supplier/requests': () => ({ url: '/supplier/requests' }),
    'GET /supplier/catalogue': () => ({ url: page }),
    'POST /supplier/catalogue': () => ({ url: page, ...multipart({ kind: 'facilities', 'facilities.name': 'Hall' }) }),
    'GET /supplier/catalogue/certificates': () => ({ url: `${page}/certificates` }),
    'POST /supplier/catalogue/certificates': () => ({
      url: `${page}/certificates`,
      ...multipart({ kind: 'certificates', 'certificates.type': 'GRS', 'certificates.number': '7' }),
    }),
    'PUT /supplier/certificates/:id/file': async ({ keep }) => ({
      url: `/supplier/certificates/${await keep('certificates', CERTIFICATE)}/file`,
      ...multipart({ file: '%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF\n' }, 'a.pdf'),
    }),
  };
  for (const [kind, entry] of Object.entries({ ...ENTRIES, certificates: CERTIFICATE })) {
    const path = `/supplier/${kind}`;
    calls[`GET ${path}`] = () => ({ url: path });
    calls[`POST ${path}`] = () => ({ url: path, payload: entry });
    calls[`PATCH ${path}/:id`] = async ({ keep }) => ({ url: `${path}/${await keep(kind, entry)}`, payload: entry });
    calls[`DELETE ${path}/:id`] = async ({ keep }) => ({ url: `${path}/${await keep(kind, entry)}` });
  }
  return calls;
}

/** Called without a token. */
function ofAnybody(): typeof REAL_CALLS {
  const html = { headers: { accept: 'text/html' } };
  const mailed = (url: string) => () => ({ url, payload: { email: fresh() } });
  return {
    'GET /health/live': () => ({ url: '/health/live' }),
    'GET /health/ready': () => ({ url: '/health/ready' }),
    'GET /openapi.json': () => ({ url: '/openapi.json' }),
    'GET /p/:gtin/:serial': ({ records }) => ({ url: records.page, ...html }),
    'GET /sign-in': () => ({ url: '/sign-in', ...html }),
    'POST /sign-in': ({ caller: { email, password } }) => ({ url: '/sign-in', ...form({ email, password }) }),
    'POST /auth/login': ({ caller: { email, password } }) => ({ url: '/auth/login', payload: { email, password } }),
    'POST /auth/signup': () => ({
      url: '/auth/signup',
      payload: { email: fresh(), password: 'a long enough password', displayName: 'Ana' },
    }),
    'POST /auth/magic-link': mailed('/auth/magic-link'),
    'POST /auth/password-reset': mailed('/auth/password-reset'),
    'POST /auth/verification': mailed('/auth/verification'),
  };
}
