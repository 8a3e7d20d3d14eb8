package document

import (
	"kota/bundles/daily/internal/days"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/staged"
	"kota/metadata"
)

var datePrefix = lazyregexp.New(`^\d{4}-`)

// Normalize writes the period in its stored form, and adds the type that fits the period and
// a title if they are missing. Without a period it takes today. Without a period and a type
// it changes nothing. For a type without a unit, a period that is not a time becomes the
// title, unless the call has a title.
func (d Documents) Normalize(doc *staged.Document, first []string) error {
	if doc.Type == "" && doc.Period == "" {
		return nil
	}
	k, given := kindOf(doc.Type), d.Today()
	back := isReview(doc.Type) || doc.Type == "" && isReview(first[0])
	if doc.Period != "" {
		var err error
		given, err = d.Period("period", doc.Period, days.ReadOptions{Unit: k.unit, Past: back})
		switch about := k.unit == "" && !datePrefix().MatchString(doc.Period); {
		case err != nil && about && doc.Type == "":
			return nil // the user still has to choose a type
		case err != nil && about:
			if doc.Title == "" {
				doc.Title = doc.Period
			}
			given = d.Today()
		case err != nil:
			return err
		}
	}
	if doc.Type == "" {
		doc.Type = typeFor(given.Unit, first)
		if doc.Type == "" {
			doc.Period = given.Name()
			return nil
		}
		k = kindOf(doc.Type)
	}
	if k.unit != "" {
		of, ok := given.Containing(k.unit)
		if !ok {
			return metadata.Invalid([]metadata.Problem{{Path: "period", Expected: "a " + k.unit + ", for a " + doc.Type, Got: given.Name()}}).
				WithHint("A call without a type lists the types.")
		}
		given = of
	}
	if isReview(doc.Type) && given.First.After(d.Today().First) {
		return metadata.Invalid([]metadata.Problem{{Path: "period", Expected: "a " + given.Unit + " that has begun, for a " + doc.Type, Got: given.Name()}}).
			WithHint("Use daily_plan for the future.")
	}
	doc.Period = given.Name()
	if doc.Title = htmltext.Line(doc.Title); doc.Title == "" {
		doc.Title = k.titleFor(given)
	}
	return nil
}
