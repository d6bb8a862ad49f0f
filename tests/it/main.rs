//! One integration binary, one line per topic.
