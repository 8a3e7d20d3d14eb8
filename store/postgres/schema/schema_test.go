package schema

import (
	"errors"
	"strings"
	"testing"

	"kota/store"
)

func TestStepsSayTheirMinimumReader(t *testing.T) {
	t.Parallel()
	all, err := Steps()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		if s.MinReader > i+1 || i > 0 && s.MinReader < all[i-1].MinReader {
			t.Errorf("%s has the minimum reader %d", s.Name, s.MinReader)
		}
	}
	if _, err := parseStep("x.sql", "CREATE TABLE x ();"); err == nil {
		t.Error("a step without a minimum reader was accepted")
	}
	if s, err := parseStep("x.sql", "-- minimum reader: 3\n-- concurrent\nCREATE INDEX"); err != nil || s.MinReader != 3 || !s.Concurrent {
		t.Errorf("read %+v, %v", s, err)
	}
}

func TestOldServersAndStandbysAreRefused(t *testing.T) {
	t.Parallel()
	for version, works := range map[string]bool{"15.7 (Debian 15.7-1)": true, "16": true, "18beta1": true, "20devel": true, "14.11": false, "9.6.24": false, "": false, "x": false} {
		if err := checkVersion(version); (err == nil) != works || err != nil && !strings.Contains(err.Error(), "PostgreSQL 15") {
			t.Errorf("%s: %v", version, err)
		}
	}
	if err := (&facts{standby: true, encoding: "UTF8", mayCreate: true}).check(); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "standby") {
		t.Errorf("a standby: %v", err)
	}
}
