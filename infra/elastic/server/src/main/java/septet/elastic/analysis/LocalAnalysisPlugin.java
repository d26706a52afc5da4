package septet.elastic.analysis;

import java.util.Map;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/** Token filters that a full Elasticsearch has and the published jars lack, under the same names and defaults. */
public final class LocalAnalysisPlugin extends Plugin implements AnalysisPlugin {
    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
                "asciifolding", (index, environment, name, settings) -> new AsciiFolding(name, settings),
                "edge_ngram", (index, environment, name, settings) -> new EdgeGrams(name, settings),
                "porter_stem", (index, environment, name, settings) -> new PorterStem(name, settings));
    }
}
