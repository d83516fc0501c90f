import text from "../../../../docs/api.md?raw";

/** Links of the document that lead to other files of the project, which a site does not have. */
const TO_FILES = /\[([^\]]+)\]\((?!https?:|\/|#)[^)]*\)/g;

/** Answers the document about the API, for language models. */
export function loader() {
  return new Response(text.replace(TO_FILES, "$1"), {
    headers: {
      "Content-Type": "text/markdown; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}
