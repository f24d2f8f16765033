"""Branch and price: split the ward's rosters in two, and each part again, until none can hold a better roster."""
