/** Stands in for React's renderer of strings: every page is drawn as a stream. */
function refuse(): never {
  throw new Error("This product draws pages as streams");
}

export { refuse as renderToStaticMarkup, refuse as renderToString };
