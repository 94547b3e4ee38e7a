/** For npm and pnpm alike: a lost packet is forgiven, a missing network is reported within seconds and not minutes. */
export const retryFlags = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
