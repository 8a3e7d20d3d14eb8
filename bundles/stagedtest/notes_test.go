package stagedtest_test

import (
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/stagedtest"
)

var morning = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func TestBundle(t *testing.T) {
	bundletest.Run(t, bundletest.Case{New: func(t *testing.T) bundles.Bundle {
		return stagedtest.Open(t, func() time.Time { return morning })
	}})
}
