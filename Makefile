# What there is to do here. `make help` lists it.
GO ?= go
BIN := bin/kota

.PHONY: help build demo test bench docs fuzz soak crash torture torture-kill torture-points torture-sync torture-disk \
	torture-readonly torture-two torture-lock torture-damage torture-migration

help: ## list these targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

build: ## build bin/kota
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o $(BIN) ./cmd/kota
	@cp $(BIN) $(BIN).new && mv $(BIN).new $(BIN) # as the linker leaves it in the page cache, it would start a tenth slower

demo: build ## build bin/kota and play a guided tour on a throw-away home
	@$(GO) run ./cmd/demo $(BIN)

test: build ## run the tests a newcomer needs (under 3 minutes)
	$(GO) vet ./...
	$(GO) test ./...

BENCH ?= -large
bench: build ## measure speed, size and search; prints a table (12 minutes; BENCH= leaves the million out)
	$(GO) run ./cmd/bench -kota $(BIN) $(if $(KOTA_RETRIEVAL),-retrieval $(KOTA_RETRIEVAL)) $(BENCH)

docs: build ## regenerate docs/bundles.md from what the bundles declare
	./$(BIN) docs > docs/bundles.md

FUZZTIME ?= 30s
fuzz: ## fuzz every target, 30 seconds each (FUZZTIME=2m for longer)
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

# Each target of torture is one thing that can happen to a computer. They are
# tests like all others, of which `make test` runs samples; here nothing is left
# out. strace, and a small disk that is mounted, take Linux and its permission;
# where something is not checked the output says so.
tortured = KOTA_TORTURE=full KOTA_CRASH_LOOPS=100 $(GO) test -count=1 -v -timeout 60m

torture: torture-kill torture-points torture-sync torture-disk torture-readonly torture-two torture-lock torture-damage torture-migration ## all of the tortures below (about 20 minutes)

torture-kill: ## kill -9 among writes of every kind, a hundred times
	$(tortured) ./store ./cmd/kota ./bundles/gmail ./auth -run 'AKilled|Kill9'

torture-points: ## kill at every commit, request and answer of what is sent
	$(tortured) ./cmd/kota -run 'WhereverItIsEndedWhatLeavesLeavesOnce'

torture-sync: ## nothing is acknowledged before it is synced (strace)
	$(tortured) ./store/faulttest ./cmd/kota -run 'Sync'

torture-disk: ## no space, quota, EIO, EROFS, EFBIG under a running server, and a full disk
	$(tortured) ./store ./cmd/kota -run 'MakesNoLiar|FullDisk'

torture-readonly: ## a file or folder that may not be written
	$(tortured) ./store ./cmd/kota -run 'ReadOnlyFile|WasReadOnly|MayNotBeWritten|MayBeWritten|ReadOnlyOpen'

torture-two: ## two processes with eight writers each on one file
	$(tortured) ./store ./cmd/kota ./bundles/gmail ./auth -run 'TwoProcesses|TwoServers|ManyMayOpen'

torture-lock: ## another program keeps the file locked, for long and for ever
	$(tortured) ./store ./cmd/kota -run 'Lock|GivenUpWhile|ClosingDoesNotWait'

torture-damage: ## corrupt, cut, foreign, newer and missing files, and pages of noise
	$(tortured) ./store ./cmd/kota -run 'LeftAlone|PagesOfNoise|NeverOverwrites|TruncatedWAL|OpenFolder|OpenRefuses|NotInItsPlace|NegativeSchema'

torture-migration: ## kill a migration at each of its writes
	$(tortured) ./store -run 'MigratingKeeps|AMigration|ANewFile'

SOAK ?= 1h
soak: ## ask a server for everything for an hour and look whether it grows (SOAK= sets how long)
	KOTA_SOAK=$(SOAK) $(GO) test ./cmd/kota -run ASoakedServer -count=1 -v -timeout 0

crash: torture-kill ## the same as torture-kill
