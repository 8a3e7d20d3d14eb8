package convert

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// A column is the type and the format of the values of one column of a result.
type column struct {
	oid    uint32
	format int16
}

const voidOID = 2278 // the type of functions without a result

// numericTypes decodes numeric values, which only sums have. It is never changed.
var numericTypes = sync.OnceValue(pgtype.NewMap)

// decode returns a value as one of the types of database/sql/driver: nil, int64, float64, bool,
// string or []byte. It does not keep raw, apart from a []byte, which is part of it.
func (c column) decode(raw []byte) (any, error) {
	if raw == nil {
		return nil, nil
	}
	switch c.oid {
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID, pgtype.NameOID, pgtype.JSONOID, pgtype.UnknownOID:
		return UnescapeText(string(raw)), nil
	case pgtype.NumericOID:
		return decodeNumeric(raw, c.format)
	case voidOID:
		return nil, nil
	}
	if c.format != pgx.BinaryFormatCode {
		return c.decodeText(raw)
	}
	switch {
	case c.oid == pgtype.Int8OID && len(raw) == 8:
		return int64(binary.BigEndian.Uint64(raw)), nil
	case c.oid == pgtype.Int4OID && len(raw) == 4:
		return int64(int32(binary.BigEndian.Uint32(raw))), nil
	case c.oid == pgtype.Int2OID && len(raw) == 2:
		return int64(int16(binary.BigEndian.Uint16(raw))), nil
	case c.oid == pgtype.BoolOID && len(raw) == 1:
		return raw[0] != 0, nil
	case c.oid == pgtype.ByteaOID:
		return raw, nil
	case c.oid == pgtype.Float8OID && len(raw) == 8:
		return math.Float64frombits(binary.BigEndian.Uint64(raw)), nil
	case c.oid == pgtype.Float4OID && len(raw) == 4:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(raw))), nil
	}
	return nil, c.unsupported()
}

// decodeText decodes the text format, which PostgreSQL uses for statements that are not prepared.
func (c column) decodeText(raw []byte) (any, error) {
	switch c.oid {
	case pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID:
		return strconv.ParseInt(string(raw), 10, 64)
	case pgtype.BoolOID:
		return string(raw) == "t", nil
	case pgtype.Float8OID, pgtype.Float4OID:
		return strconv.ParseFloat(string(raw), 64)
	}
	return nil, c.unsupported()
}

func (c column) unsupported() error {
	return fmt.Errorf("the column has type %d in format %d: cast it to bigint, text, bytea or double precision", c.oid, c.format)
}

// decodeNumeric returns an int64 if the value is one, and a float64 otherwise.
func decodeNumeric(raw []byte, format int16) (any, error) {
	number := pgtype.Numeric{}
	if err := numericTypes().Scan(pgtype.NumericOID, format, raw, &number); err != nil {
		return nil, err
	}
	if whole, err := number.Int64Value(); err == nil && whole.Valid {
		return whole.Int64, nil
	}
	fraction, err := number.Float64Value()
	return fraction.Float64, err
}
