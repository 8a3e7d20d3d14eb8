package move

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// A digest identifies the rows of a table, whatever their order: the databases sort texts with
// special characters differently. It is the sum of the SHA-256 of all rows.
type digest struct {
	rows int64
	sum  [4]uint64
	text []byte
}

// add adds a row. A value is nil, an int64, a string or a []byte.
func (d *digest) add(row []any) error {
	d.text = d.text[:0]
	for _, value := range row {
		switch v := value.(type) {
		case nil:
			d.text = append(d.text, 'n')
		case int64:
			d.text = binary.BigEndian.AppendUint64(append(d.text, 'i'), uint64(v))
		case string:
			d.text = append(binary.BigEndian.AppendUint64(append(d.text, 't'), uint64(len(v))), v...)
		case []byte:
			d.text = append(binary.BigEndian.AppendUint64(append(d.text, 'b'), uint64(len(v))), v...)
		default:
			return fmt.Errorf("a value is a %T", value)
		}
	}
	sum, carry := sha256.Sum256(d.text), uint64(0)
	for i := range d.sum {
		d.sum[i], carry = bits.Add64(d.sum[i], binary.LittleEndian.Uint64(sum[8*i:]), carry)
	}
	d.rows++
	return nil
}

// equal reports whether two tables have the same rows.
func (d *digest) equal(other *digest) bool { return d.rows == other.rows && d.sum == other.sum }

// String returns the sum in hexadecimal.
func (d *digest) String() string {
	raw := []byte{}
	for _, part := range d.sum {
		raw = binary.LittleEndian.AppendUint64(raw, part)
	}
	return hex.EncodeToString(raw)
}
