package septet.elastic.analysis;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;

final class Grams extends AbstractTokenFilterFactory {
    private final int shortest;
    private final int longest;
    private final boolean preserveOriginal;

    /** The index bounds the difference, as a full server does: it decides how many tokens a word becomes. */
    Grams(IndexSettings index, String name, Settings settings) {
        super(name, settings);
        shortest = settings.getAsInt("min_gram", 1);
        longest = settings.getAsInt("max_gram", 2);
        preserveOriginal = settings.getAsBoolean("preserve_original", false);
        if (longest - shortest > index.getMaxNgramDiff())
            throw new IllegalArgumentException("max_gram exceeds min_gram by more than index.max_ngram_diff");
    }

    @Override
    public TokenStream create(TokenStream tokens) {
        return new NGramTokenFilter(tokens, shortest, longest, preserveOriginal);
    }
}
