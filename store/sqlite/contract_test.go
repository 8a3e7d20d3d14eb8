package sqlite_test

import (
	"flag"
	"os"
	"testing"

	"kota/store/storetest"
	"kota/store/storetest/audittest"
	"kota/store/storetest/diarytest"
	"kota/store/storetest/memorytest"
	"kota/store/storetest/walltest"
	"kota/store/storetest/writertest"
)

var update = flag.Bool("update-ranking", false, "write the rankings of memorytest anew")

func TestContract(t *testing.T) {
	if *update {
		for _, set := range memorytest.RankingSets {
			err := os.WriteFile("../storetest/memorytest/testdata/recall/"+set+"/ranking.txt", []byte(memorytest.Ranking(t, newOpener(t), set)), 0o644)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	storetest.Run(t, newOpener)
	memorytest.Run(t, newOpener)
	diarytest.Run(t, newOpener)
	audittest.Run(t, newOpener)
	writertest.Run(t, newOpener)
	walltest.Run(t, newOpener)
}
