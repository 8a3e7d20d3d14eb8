package console

import (
	"context"
	"sync"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/costs"
	"kota/entrypoint"
)

// pricesLife limits how old the prices on a page are. They depend on which tools are used most.
const pricesLife = 5 * time.Minute

// prices keep what the list of tools costs, because counting it is the slowest part of the page
// Use. They are those of one person.
type prices struct {
	mu     sync.Mutex
	router *entrypoint.Router // whose prices they are
	until  time.Time
	report costs.TokenReport
}

func (p *prices) get(ctx context.Context, a *app.App, router *entrypoint.Router) (costs.TokenReport, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.router == router && a.Now().Before(p.until) {
		return p.report, nil
	}
	report, err := costs.PriceTools(ctx, a, router)
	if err == nil {
		p.router, p.until, p.report = router, a.Now().Add(pricesLife), report
	}
	return report, err
}
