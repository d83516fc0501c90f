-- A list's whole state is in its URL, so no views of lists are saved any more.

DROP TABLE saved_view;
