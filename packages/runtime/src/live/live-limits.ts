/** Where a page's socket is, below the path of its preview. */
export const LIVE_PATH = "/@tenrec/live";

/** Closes the socket of a page that may not be seen any more. The page loads again, to say so. */
export const LIVE_ENDED = 4410;

/** Closes the socket of a page that said too much. */
export const LIVE_REFUSED = 4400;

/** The most that a page says of what goes wrong in it, until it is loaded again. */
export const MOST_PAGE_ERRORS = 20;
