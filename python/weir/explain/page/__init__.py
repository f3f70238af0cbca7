"""A trace as one HTML page that needs nothing but itself: tables, pictures, and a timeline to zoom into."""
