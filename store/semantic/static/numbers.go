package static

import (
	"encoding/binary"
	"math"
)

// widths are the types of numbers that KOTA reads, with their size in bytes.
var widths = map[string]int64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1, "I32": 4, "I64": 8}

// floats decodes numbers into as many elements of dst as raw has. dtype is a key of widths.
func floats(dst []float32, raw []byte, dtype string) {
	order := binary.LittleEndian
	switch dtype {
	case "F64":
		for i := range len(raw) / 8 {
			dst[i] = float32(math.Float64frombits(order.Uint64(raw[8*i:])))
		}
	case "F32":
		for i := range len(raw) / 4 {
			dst[i] = math.Float32frombits(order.Uint32(raw[4*i:]))
		}
	case "F16":
		for i := range len(raw) / 2 {
			dst[i] = float16(order.Uint16(raw[2*i:]))
		}
	case "BF16":
		for i := range len(raw) / 2 {
			dst[i] = math.Float32frombits(uint32(order.Uint16(raw[2*i:])) << 16)
		}
	case "I8":
		for i, b := range raw {
			dst[i] = float32(int8(b))
		}
	case "I32":
		for i := range len(raw) / 4 {
			dst[i] = float32(int32(order.Uint32(raw[4*i:])))
		}
	case "I64":
		for i := range len(raw) / 8 {
			dst[i] = float32(int64(order.Uint64(raw[8*i:])))
		}
	}
}

// float16 decodes an IEEE 754 number of 16 bits: 1 for the sign, 5 for the exponent, 10 for
// the fraction.
func float16(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10)&0x1f, uint32(bits)&0x3ff
	switch exponent {
	case 0: // zero, or below the smallest normal number
		value := float32(fraction) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(value))
	case 0x1f: // infinite, or not a number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// isFinite reports whether x is neither infinite nor NaN.
func isFinite(x float32) bool { return math.Float32bits(x)&0x7f800000 != 0x7f800000 }
