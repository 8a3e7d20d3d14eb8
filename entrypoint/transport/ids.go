package transport

import (
	"bytes"
	"strconv"
)

// isInteger reports whether a valid JSON number has no fractional part. It reads any notation
// and any size: 7, -0 and 1.0 are integers, 15e-1 is not.
func isInteger(number []byte) bool {
	mantissa, exponent, _ := bytes.Cut(bytes.ToLower(number), []byte("e"))
	whole, fraction, _ := bytes.Cut(bytes.TrimPrefix(mantissa, []byte("-")), []byte("."))
	fraction = bytes.TrimRight(fraction, "0")
	if len(exponent) == 0 {
		return len(fraction) == 0
	}
	digits := bytes.TrimLeft(append(bytes.Clone(whole), fraction...), "0")
	if len(digits) == 0 {
		return true // zero, with any exponent
	}
	shift, err := strconv.Atoi(string(exponent))
	if err != nil {
		return exponent[0] != '-' // the exponent is too large for an int, so its sign decides
	}
	if shift >= len(fraction) {
		return true
	}
	if len(fraction) > 0 {
		return false
	}
	zeros := len(whole) - len(bytes.TrimRight(whole, "0"))
	return shift >= -zeros
}

// idKey returns a key that is equal for equal strings, and for numbers written alike.
func idKey(raw []byte) string {
	if len(raw) > 0 && raw[0] == '"' {
		return `"` + unquote(raw)
	}
	return string(raw)
}
