"""The pages that are generated from the tables: a page for each public function, the glossary."""
