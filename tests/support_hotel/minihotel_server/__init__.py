"""A MiniHotel that sells a hotel of this machine over HTTP: what the adapter is tested against.

It speaks the formats that the vendor describes and that others recorded, and imports nothing of the adapter that reads
them. What no source says is decided here, the harder way for a client:

- A booking of rooms that are gone, a change or a cancellation of a booking that is none (or is cancelled), and a booking
  id that was used all get the empty `<BookingConfirmNumbers/>`.
- Bulk ARI ends with the night before `to`, as a stay does.
- The texts behind `ERR nnn:` are ours; the codes are the vendor's.
"""
