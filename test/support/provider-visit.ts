/** Signs in at a real provider as a browser would, through its forms; answers the address that it leads back to. */
export async function signInAt(authorizationUrl: string, login: string): Promise<URL> {
  const { origin } = new URL(authorizationUrl);
  const cookies = new Map<string, string>();
  let request: { url: string; form?: Record<string, string> } = { url: authorizationUrl };
  for (let step = 0; step < 15; step++) {
    const response = await fetch(request.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(request.form === undefined ? {} : { method: 'POST', body: new URLSearchParams(request.form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    if (location !== null) {
      const url = new URL(location, request.url);
      if (url.origin !== origin) return url;
      request = { url: url.href };
      continue;
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined)
      throw new Error(`the provider answered ${response.status}: ${page}`);
    const url = new URL(action, request.url).href;
    request = { url, form: { prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) } };
  }
  throw new Error('the provider leads in circles');
}
