package restore

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kota/store/sqlite"
)

// replacedPrefix is the prefix of the names of the files that Restore keeps.
const replacedPrefix = "kota-replaced-"

// PruneReplaced removes the files that Restore kept beside the database at path. It keeps the
// newest copies, up to the number keep, and the copy at except. PruneReplaced removes a copy
// with its journals and its checkpoint. It returns the paths of the removed copies.
func PruneReplaced(path string, keep int, except string) (removed []string, err error) {
	path, err = resolvePath(path)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var stems []string
	for _, entry := range entries {
		if name, after, ok := strings.Cut(entry.Name(), ".db"); ok && strings.HasPrefix(name, replacedPrefix) && entry.Type().IsRegular() && isKeptSuffix(after) {
			stems = append(stems, name)
		}
	}
	slices.SortFunc(stems, func(a, b string) int { // with equal times the longer name is the later one
		return cmp.Or(strings.Compare(b[:min(len(a), len(b))], a[:min(len(a), len(b))]), cmp.Compare(len(b), len(a)), strings.Compare(b, a))
	})
	stems = slices.Compact(stems)
	for _, stem := range stems[min(keep, len(stems)):] {
		copy := filepath.Join(filepath.Dir(path), stem+".db")
		if isSameFile(copy, except) {
			continue
		}
		for _, suffix := range keptSuffixes {
			if removeErr := os.Remove(copy + suffix); removeErr != nil && !errors.Is(removeErr, os.ErrNotExist) {
				err = errors.Join(err, removeErr)
			}
		}
		removed = append(removed, copy)
	}
	return removed, err
}

// keptSuffixes are the suffixes of the files that Restore keeps for a copy.
var keptSuffixes = append([]string{"", sqlite.CheckpointFile("")}, sqlite.JournalSuffixes...)

func isKeptSuffix(suffix string) bool { return slices.Contains(keptSuffixes, suffix) }

func isSameFile(a, b string) bool {
	infoA, err := os.Stat(a)
	if err != nil {
		return false
	}
	infoB, err := os.Stat(b)
	return err == nil && os.SameFile(infoA, infoB)
}
