package entrypoint_test

import (
	"context"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
)

// This package's own tests get the composed router from here: see Composed.
var _ = func() struct{} {
	entrypoint.Composed = func(all []bundles.Bundle, changes func(context.Context, func())) (*entrypoint.Router, error) {
		return pipeline.New(pipeline.Options{Bundles: all, Changes: changes})
	}
	return struct{}{}
}()
