package postgres

import (
	"testing"

	"kota/store/storetest/diarytest"
)

func TestDiaryContract(t *testing.T) { diarytest.Run(t, contractOpener(t)) }
