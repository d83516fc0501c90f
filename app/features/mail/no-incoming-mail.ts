/** Stands in for postal-mime, with which Resend's SDK would read incoming mail: this product only sends. */
export default {
  parse(): never {
    throw new Error("This product reads no incoming mail");
  },
};
