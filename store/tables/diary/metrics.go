package diary

import (
	"kota/store"
	"kota/store/engine"
)

// A metricForm is a form in which queries return a metric of an entry. The column is NULL if the
// entry does not have the metric.
type metricForm struct {
	metric  engine.Stmt // its argument is the name of the metric
	sqlType string      // for mood and energy, which have columns of their own
}

// As a number, true is 1 and false is 0. The bound of a range need not be a whole number, so
// PostgreSQL must not compare it with integers.
var (
	asNumber = metricForm{engine.Stmt{SQLite: "metrics ->> ?", Postgres: "kota_metric(metrics, ?)"}, "double precision"}
	asText   = metricForm{engine.Stmt{SQLite: "metrics -> ?", Postgres: "CAST(metrics AS json) ->> CAST(? AS text)"}, "text"}
)

// column returns the SQL expression for a metric, with its arguments.
func (form metricForm) column(q engine.Querier, name string) (string, []any, error) {
	name, err := store.NormalizeName(name)
	if err != nil {
		return "", nil, err
	}
	if name == store.MoodName || name == store.EnergyName {
		return "CAST(" + name + " AS " + form.sqlType + ")", nil, nil
	}
	return form.metric.For(q), []any{name}, nil
}

// metricWhere passes the conditions of a range to add.
func metricWhere(q engine.Querier, r store.MetricRange, add func(condition string, args ...any)) error {
	column, args, err := asNumber.column(q, r.Name)
	if err != nil {
		return err
	}
	if r.Min == nil && r.Max == nil {
		add(column+" IS NOT NULL", args...)
	}
	for _, bound := range []struct {
		operator string
		value    *float64
	}{{">=", r.Min}, {"<=", r.Max}} {
		if bound.value != nil {
			add(column+" "+bound.operator+" ?", append(args[:len(args):len(args)], *bound.value)...)
		}
	}
	return nil
}
